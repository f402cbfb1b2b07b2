package dev.kudu4j.client.cluster;

import dev.kudu4j.common.proto.master.ConnectToMasterResponsePB;

/**
 * The master that leads, and what it told when it said so. Compared by identity: the same master
 * found again is another finding.
 */
final class LeadingMaster {
  private final ServerLink link;
  private final ConnectToMasterResponsePB introduction;

  LeadingMaster(ServerLink link, ConnectToMasterResponsePB introduction) {
    this.link = link;
    this.introduction = introduction;
  }

  ServerLink link() {
    return link;
  }

  /** Cluster id, this client's location and the like; empty from a master too old to tell. */
  ConnectToMasterResponsePB introduction() {
    return introduction;
  }
}

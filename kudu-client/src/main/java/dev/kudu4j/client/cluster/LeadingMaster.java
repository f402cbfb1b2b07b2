package dev.kudu4j.client.cluster;

import dev.kudu4j.common.proto.master.ConnectToMasterResponsePB;

/**
 * The leader master, with its ConnectToMaster response. Compared by identity: the same master found
 * by a later search is another object.
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

  /** Cluster id, this client's location and more; empty if the master is too old to report them. */
  ConnectToMasterResponsePB introduction() {
    return introduction;
  }
}

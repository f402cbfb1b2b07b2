package dev.kudu4j.server.peer;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.replication.LeaderWordPB;
import dev.kudu4j.server.replica.LeaderStatus;

/** Converts a leader's status to and from the protocol's message. */
final class LeaderStatusWire {
  private LeaderStatusWire() {}

  static LeaderWordPB toWire(String tabletId, LeaderStatus status) {
    return LeaderWordPB.newBuilder()
        .setTabletId(ByteString.copyFromUtf8(tabletId))
        .setTerm(status.term())
        .setSafeTime(status.safeTime())
        .setSafeIndex(status.safeIndex())
        .setHeldByAll(status.releasable())
        .build();
  }

  static LeaderStatus fromWire(LeaderWordPB status) {
    return new LeaderStatus(
        status.getTerm(), status.getSafeTime(), status.getSafeIndex(), status.getHeldByAll());
  }
}

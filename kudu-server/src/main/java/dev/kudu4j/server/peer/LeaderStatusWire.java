package dev.kudu4j.server.peer;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.replication.LeaderWordPB;
import dev.kudu4j.server.replica.LeaderStatus;

/** Converts a leader's status to and from the protocol's message. */
final class LeaderStatusWire {
  private LeaderStatusWire() {}

  static LeaderWordPB toWire(String tabletId, LeaderStatus word) {
    return LeaderWordPB.newBuilder()
        .setTabletId(ByteString.copyFromUtf8(tabletId))
        .setTerm(word.term())
        .setSafeTime(word.safeTime())
        .setSafeIndex(word.safeIndex())
        .setHeldByAll(word.releasable())
        .build();
  }

  static LeaderStatus fromWire(LeaderWordPB word) {
    return new LeaderStatus(
        word.getTerm(), word.getSafeTime(), word.getSafeIndex(), word.getHeldByAll());
  }
}

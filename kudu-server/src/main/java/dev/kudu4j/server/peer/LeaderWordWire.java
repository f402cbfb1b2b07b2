package dev.kudu4j.server.peer;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.replication.LeaderWordPB;
import dev.kudu4j.server.replica.LeaderWord;

/** A leader's word as a message. */
final class LeaderWordWire {
  private LeaderWordWire() {}

  static LeaderWordPB toWire(String tabletId, LeaderWord word) {
    return LeaderWordPB.newBuilder()
        .setTabletId(ByteString.copyFromUtf8(tabletId))
        .setTerm(word.term())
        .setSafeTime(word.safeTime())
        .setSafeIndex(word.safeIndex())
        .setHeldByAll(word.releasable())
        .build();
  }

  static LeaderWord fromWire(LeaderWordPB word) {
    return new LeaderWord(
        word.getTerm(), word.getSafeTime(), word.getSafeIndex(), word.getHeldByAll());
  }
}

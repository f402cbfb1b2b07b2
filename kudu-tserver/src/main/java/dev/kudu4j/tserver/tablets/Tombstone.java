package dev.kudu4j.tserver.tablets;

import dev.kudu4j.server.raft.log.LastVote;
import dev.kudu4j.tablet.log.LogPosition;
import dev.kudu4j.tablet.proto.TombstonePB;

/**
 * What is known of a replica that was given up: enough to refuse the copy of a log that is behind
 * what was acknowledged here, and to vote once only.
 */
public record Tombstone(TombstonePB message) {
  /** Of a tablet of which nothing was ever here. */
  public static Tombstone blank(String tabletId, String reason) {
    return of(tabletId, LogPosition.NONE, LastVote.NONE, reason);
  }

  /**
   * @param lastLogged where the replica's log ended
   * @param vote its last one
   */
  static Tombstone of(String tabletId, LogPosition lastLogged, LastVote vote, String reason) {
    return new Tombstone(
        TombstonePB.newBuilder()
            .setTabletId(tabletId)
            .setLastLoggedTerm(lastLogged.term())
            .setLastLoggedIndex(lastLogged.index())
            .setVoteTerm(vote.term())
            .setVoteCandidate(vote.candidate())
            .setReason(reason)
            .build());
  }

  Tombstone named(String tableId, String tableName) {
    return new Tombstone(message.toBuilder().setTableId(tableId).setTableName(tableName).build());
  }

  public String tabletId() {
    return message.getTabletId();
  }

  /** Empty when it is not known. */
  public String tableName() {
    return message.getTableName();
  }

  /** Why there is a tombstone. */
  public String reason() {
    return message.getReason();
  }

  /** Where the replica's log ended; {@link LogPosition#NONE} when there was none. */
  public LogPosition lastLogged() {
    return new LogPosition(message.getLastLoggedTerm(), message.getLastLoggedIndex());
  }

  /** Whom this server voted for last in the group. */
  public LastVote vote() {
    return new LastVote(message.getVoteTerm(), message.getVoteCandidate());
  }

  /** Whether a copy has begun that did not come to its end. */
  public boolean isUnfinishedCopy() {
    return message.hasCopy();
  }
}

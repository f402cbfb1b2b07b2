package dev.kudu4j.tserver.tablets;

import dev.kudu4j.server.raft.log.LastVote;
import dev.kudu4j.tablet.log.LogPosition;
import dev.kudu4j.tablet.proto.TombstonePB;

/**
 * The record of a removed replica: its last log position, to reject a copy whose log lacks
 * acknowledged entries, and its last vote, so that this server votes only once per term.
 */
public record Tombstone(TombstonePB message) {
  /** The tombstone of a tablet that never had a replica on this server. */
  public static Tombstone blank(String tabletId, String reason) {
    return of(tabletId, LogPosition.NONE, LastVote.NONE, reason);
  }

  /**
   * @param lastLogged the last entry of the replica's log
   * @param vote the replica's last vote
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

  /** The name of the table; empty if unknown. */
  public String tableName() {
    return message.getTableName();
  }

  /** The reason of the removal. */
  public String reason() {
    return message.getReason();
  }

  /** The last entry of the replica's log; {@link LogPosition#NONE} if there is none. */
  public LogPosition lastLogged() {
    return new LogPosition(message.getLastLoggedTerm(), message.getLastLoggedIndex());
  }

  /** This server's last vote in the group. */
  public LastVote vote() {
    return new LastVote(message.getVoteTerm(), message.getVoteCandidate());
  }

  /** Whether a copy has begun and has not completed. */
  public boolean isUnfinishedCopy() {
    return message.hasCopy();
  }
}

package dev.kudu4j.tserver.tablets;

import dev.kudu4j.common.proto.tserver.TabletServerErrorPB;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.server.replica.TabletReplica;
import dev.kudu4j.tablet.log.LogPosition;
import dev.kudu4j.tserver.error.TabletServerError;

/**
 * Decides whether a copy may replace the local replica. A running replica is never replaced. A
 * tombstone or a failed replica is replaced unless its log has a later term than {@code
 * callerTerm}. In that case the caller is no longer the leader, and its data may lack operations
 * that a later leader has acknowledged.
 *
 * <p>The log of an evicted replica is ignored: its group continues without it, and admits it again
 * only as a learner that must catch up.
 */
final class CopyAdmission {
  private CopyAdmission() {}

  /**
   * @throws TabletServerError the reason of the rejection
   */
  static void check(HostedTablet existing, long callerTerm) {
    if (existing.copy() != null) {
      throw refusal(
          TabletServerErrorPB.Code.ALREADY_INPROGRESS,
          StatusCode.ALREADY_PRESENT,
          existing,
          "is already being copied to this server: " + existing.lastStatus());
    }
    if (existing.now().isStopping() || !existing.isLost()) {
      throw existing.isRunning()
          ? refusal(
              TabletServerErrorPB.Code.TABLET_ALREADY_EXISTS,
              StatusCode.ALREADY_PRESENT,
              existing,
              "runs on this server")
          : refusal(
              TabletServerErrorPB.Code.TABLET_NOT_RUNNING,
              StatusCode.SERVICE_UNAVAILABLE,
              existing,
              (existing.now().isStopping() ? "is being removed" : "is " + existing.state())
                  + " on this server; try again");
    }
    LogPosition here = lastLogged(existing);
    if (here.term() > callerTerm && here.index() >= 0) {
      throw refusal(
          TabletServerErrorPB.Code.INVALID_CONFIG,
          StatusCode.INVALID_ARGUMENT,
          existing,
          "has a local log up to entry %d.%d, later than the term of the copy request (%s)"
              .formatted(
                  here.term(),
                  here.index(),
                  callerTerm < 0 ? "none given; --force_copy skips this check" : callerTerm));
    }
  }

  private static LogPosition lastLogged(HostedTablet existing) {
    Tombstone tombstone = existing.tombstone();
    if (tombstone != null) {
      return tombstone.lastLogged();
    }
    boolean evicted =
        existing.isOpen() && existing.replica().lifeCycleState() == TabletReplica.State.EVICTED;
    return existing.isOpen() && !evicted ? existing.replica().lastLogged() : LogPosition.NONE;
  }

  private static TabletServerError refusal(
      TabletServerErrorPB.Code code, StatusCode status, HostedTablet tablet, String reason) {
    return new TabletServerError(code, status, "Tablet " + tablet.tabletId() + " " + reason);
  }
}

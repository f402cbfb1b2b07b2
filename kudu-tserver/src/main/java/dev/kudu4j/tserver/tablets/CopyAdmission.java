package dev.kudu4j.tserver.tablets;

import dev.kudu4j.common.proto.tserver.TabletServerErrorPB;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.server.replica.TabletReplica;
import dev.kudu4j.tablet.log.LogPosition;
import dev.kudu4j.tserver.error.TabletServerError;

/**
 * Whether a copy may take the place of what is here. A replica that runs is never replaced. What
 * was given up or has failed is, unless it has seen a later term than whoever wants the copy: that
 * one is a leader no more, and what it would send may lack what was acknowledged since.
 *
 * <p>The log of a replica that was thrown out counts for nothing: its group has agreed to go on
 * without it, and lets it in again only as one that has to catch up.
 */
final class CopyAdmission {
  private CopyAdmission() {}

  /**
   * @throws TabletServerError why not
   */
  static void check(HostedTablet existing, long callerTerm) {
    if (existing.copy() != null) {
      throw refusal(
          TabletServerErrorPB.Code.ALREADY_INPROGRESS,
          StatusCode.ALREADY_PRESENT,
          existing,
          "is being copied to this server already: " + existing.lastStatus());
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
          "was here up to log entry %d.%d, which is of a later term than that of whoever wants it copied (%s)"
              .formatted(
                  here.term(),
                  here.index(),
                  callerTerm < 0 ? "who names none; --force_copy does without" : callerTerm));
    }
  }

  private static LogPosition lastLogged(HostedTablet existing) {
    Tombstone tombstone = existing.tombstone();
    if (tombstone != null) {
      return tombstone.lastLogged();
    }
    boolean thrownOut =
        existing.isOpen() && existing.replica().lifeCycleState() == TabletReplica.State.EVICTED;
    return existing.isOpen() && !thrownOut ? existing.replica().lastLogged() : LogPosition.NONE;
  }

  private static TabletServerError refusal(
      TabletServerErrorPB.Code code, StatusCode status, HostedTablet tablet, String why) {
    return new TabletServerError(code, status, "Tablet " + tablet.tabletId() + " " + why);
  }
}

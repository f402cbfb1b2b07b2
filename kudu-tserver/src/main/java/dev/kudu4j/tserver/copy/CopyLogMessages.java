package dev.kudu4j.tserver.copy;

import dev.kudu4j.common.id.UntrustedText;
import dev.kudu4j.common.rpc.RateLimitedLog;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.server.logging.LogMarkers;
import dev.kudu4j.server.logging.ReplicaPrefix;
import dev.kudu4j.server.web.html.Figures;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The log lines of tablet copies, at the target and at the source. */
final class CopyLogMessages {
  private static final Logger LOG = LoggerFactory.getLogger(TabletCopies.class);
  private static final RateLimitedLog LIMITED = new RateLimitedLog(LOG);

  private CopyLogMessages() {}

  // ---- the target

  /**
   * @param reusedBytes bytes that an earlier copy has already fetched
   */
  static void started(
      ReplicaPrefix tablet, String source, int files, long bytes, long reusedBytes, String reason) {
    LOG.info(
        LogMarkers.ON_DEMAND,
        "{}: Copy from P {} started, {}: {} files of {}, of which {} are already present",
        tablet,
        source,
        reason,
        files,
        Figures.bytesText(bytes),
        Figures.bytesText(reusedBytes));
  }

  static void copied(ReplicaPrefix tablet, String source, long bytes, long nanos) {
    LOG.info(
        LogMarkers.ON_DEMAND,
        "{}: Copy from P {} finished in {} ms, {}",
        tablet,
        source,
        millis(nanos),
        Figures.bytesText(bytes));
  }

  static void failed(ReplicaPrefix tablet, String source, KuduException failure, long nanos) {
    LIMITED.warn(
        "{}: Copy from P {} failed after {} ms: {}",
        tablet,
        source,
        millis(nanos),
        failure.describe());
  }

  static void sourceLost(ReplicaPrefix tablet, String source, KuduException cause) {
    LIMITED.warn("{}: Copy from P {} waits for its source: {}", tablet, source, cause.getMessage());
  }

  // ---- the source

  static void sourceStarted(ReplicaPrefix tablet, SourceSession session) {
    LOG.info(
        LogMarkers.ON_DEMAND,
        "{}: Copy to P {} started: {} files of {}, checkpoint {}",
        tablet,
        session.requestorUuid(),
        session.files().size(),
        Figures.bytesText(session.totalBytes()),
        session.checkpoint().position());
  }

  static void sent(ReplicaPrefix tablet, SourceSession session, long nanos) {
    LOG.info(
        LogMarkers.ON_DEMAND,
        "{}: Copy to P {} finished in {} ms, {} sent",
        tablet,
        session.requestorUuid(),
        millis(nanos),
        Figures.bytesText(session.sentBytes()));
  }

  /**
   * @param error reported by the target
   */
  static void givenUp(ReplicaPrefix tablet, SourceSession session, String error, long nanos) {
    LOG.info(
        LogMarkers.ON_DEMAND,
        "{}: Copy to P {} failed after {} ms, {} sent: {}",
        tablet,
        session.requestorUuid(),
        millis(nanos),
        Figures.bytesText(session.sentBytes()),
        UntrustedText.format(error));
  }

  static void expired(SourceSession session, long idleNanos) {
    LOG.info(
        LogMarkers.ON_DEMAND,
        "T {}: Copy to P {} expired: no requests for {} s, {} sent",
        session.tabletId(),
        session.requestorUuid(),
        TimeUnit.NANOSECONDS.toSeconds(idleNanos),
        Figures.bytesText(session.sentBytes()));
  }

  private static long millis(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(nanos);
  }
}

package dev.kudu4j.server.maintenance;

import dev.kudu4j.server.logging.LogMarkers;
import dev.kudu4j.server.logging.ReplicaPrefix;
import dev.kudu4j.server.web.html.Figures;
import dev.kudu4j.tablet.checkpoint.StoreWork;
import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes the log lines of maintenance, one line for each flush or compaction that has ended. */
final class MaintenanceLines {
  private static final Logger LOG = LoggerFactory.getLogger(MaintenanceScheduler.class);

  private MaintenanceLines() {}

  /** Logs a flush or compaction that succeeded. */
  static void done(
      ReplicaPrefix tablet, String description, String reason, long nanos, StoreWork work) {
    LOG.info(
        "{}: {}: done in {} ms ({}), {}",
        tablet,
        description,
        TimeUnit.NANOSECONDS.toMillis(nanos),
        reason,
        text(work));
  }

  /** Logs a flush that the scheduler did not choose, unless it wrote nothing. */
  static void flushedNow(ReplicaPrefix tablet, String reason, long nanos, StoreWork work) {
    if (!work.equals(StoreWork.NONE)) {
      LOG.info(
          LogMarkers.ON_DEMAND,
          "{}: Flush: done in {} ms ({}), {}",
          tablet,
          TimeUnit.NANOSECONDS.toMillis(nanos),
          reason,
          text(work));
    }
  }

  /** Logs work that failed and will be retried. An I/O error needs no stack trace. */
  static void failed(ReplicaPrefix tablet, String description, Throwable failure) {
    if (failure instanceof IOException) {
      LOG.error("{}: {}: failed, trying again later: {}", tablet, description, failure.toString());
    } else {
      LOG.error("{}: {}: failed, trying again later", tablet, description, failure);
    }
  }

  /** The reason for which work was chosen: {@code performance, score 1.05}. */
  static String explanation(OpPriority opPriority) {
    return String.format(
        Locale.ROOT,
        "%s, score %.3g",
        opPriority.reason().name().toLowerCase(Locale.ROOT),
        opPriority.score());
  }

  /**
   * Describes the work: {@code 3 rowsets became 2 of 240,000 rows, wrote 4 files of 38 MB in place
   * of 9 of 40 MB}.
   */
  static String text(StoreWork work) {
    if (work.equals(StoreWork.NONE)) {
      return "nothing was left to do";
    }
    String rowSets = rowSets(work);
    return rowSets.isEmpty() ? files(work) : rowSets + ", " + files(work);
  }

  private static String rowSets(StoreWork work) {
    String rows = Figures.countText(work.rowsWritten());
    if (work.rowSetsReplaced() == 0) {
      return work.rowSetsWritten() == 0
          ? ""
          : count(work.rowSetsWritten(), "new rowset") + " of " + rows + " rows";
    }
    return "%s became %d of %s rows"
        .formatted(count(work.rowSetsReplaced(), "rowset"), work.rowSetsWritten(), rows);
  }

  private static String files(StoreWork work) {
    String replaced = work.filesReplaced() + " of " + Figures.bytesText(work.bytesReplaced());
    if (work.filesWritten() == 0) {
      return "dropped " + count(work.filesReplaced(), "file") + afterCount(work.bytesReplaced());
    }
    String written =
        "wrote " + count(work.filesWritten(), "file") + afterCount(work.bytesWritten());
    return work.filesReplaced() == 0 ? written : written + " in place of " + replaced;
  }

  private static String afterCount(long bytes) {
    return " of " + Figures.bytesText(bytes);
  }

  private static String count(long count, String noun) {
    return count + " " + noun + (count == 1 ? "" : "s");
  }
}

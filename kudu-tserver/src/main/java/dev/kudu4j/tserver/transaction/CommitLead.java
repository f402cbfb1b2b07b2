package dev.kudu4j.tserver.transaction;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.TimeUnit;

/**
 * How far ahead of now commit timestamps are chosen. With too short a lead the timestamp passes
 * before all participants have reserved it, and the commit has to begin again; writers of the
 * participants wait from the timestamp on until the commit is done. With too long a lead the clocks
 * of the participants run ahead. So it follows the measured duration from the choice to the
 * decision. Thread-safe.
 */
final class CommitLead {
  private static final long FIRST_MICROS = 10_000;
  private static final long MIN_MICROS = 1_000;
  private static final long MAX_MICROS = 1_000_000;
  private static final int WEIGHT = 8;

  @GuardedBy("this")
  private long meanMicros = FIRST_MICROS / 2;

  /** Twice the mean duration. */
  synchronized long micros() {
    return Math.max(MIN_MICROS, Math.min(MAX_MICROS, 2 * meanMicros));
  }

  /** Notes the duration from the choice of a timestamp to the decision. */
  synchronized void took(long nanos) {
    long micros = TimeUnit.NANOSECONDS.toMicros(nanos);
    meanMicros += (Math.min(micros, MAX_MICROS) - meanMicros) / WEIGHT;
  }

  /** Notes that a timestamp had passed before it was reserved everywhere. */
  synchronized void wasTooShort() {
    meanMicros = Math.min(MAX_MICROS, 2 * meanMicros + MIN_MICROS);
  }
}

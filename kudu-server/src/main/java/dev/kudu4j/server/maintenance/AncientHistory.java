package dev.kudu4j.server.maintenance;

import dev.kudu4j.common.time.HybridClock;
import dev.kudu4j.common.time.HybridTime;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * Defines how far back a server's tablets can be read. The rule is the same for scans, which are
 * rejected below the mark, and for maintenance, which removes history below it.
 *
 * @param defaultSeconds the maximum age of history if the table does not define it; negative for no
 *     limit
 */
public record AncientHistory(HybridClock clock, long defaultSeconds) {
  /**
   * The current ancient history mark, in hybrid time: no snapshot below it can be read. 0 if
   * history is kept without limit. The mark decreases when a table's history age is increased, and
   * may then be below the point up to which history was removed; the tablet records that point.
   */
  public long mark(OptionalLong tableSeconds) {
    long seconds = tableSeconds.orElse(defaultSeconds);
    if (seconds < 0) {
      return 0;
    }
    long micros = clock.source().nowMicros() - TimeUnit.SECONDS.toMicros(seconds);
    return HybridTime.of(Math.max(0, micros), 0);
  }
}

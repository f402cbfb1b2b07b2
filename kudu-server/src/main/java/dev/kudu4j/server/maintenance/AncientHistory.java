package dev.kudu4j.server.maintenance;

import dev.kudu4j.common.time.HybridClock;
import dev.kudu4j.common.time.HybridTime;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * How far back a server's tablets can be read: the one rule for scans, which are refused below the
 * mark, and for maintenance, which collects what lies below.
 *
 * @param defaultSeconds age of history where the table does not say; negative: without limit
 */
public record AncientHistory(HybridClock clock, long defaultSeconds) {
  /**
   * The ancient history mark now, in hybrid time: no snapshot below it can be read. 0 if history is
   * kept for ever. It may step back when a table's history is made longer; the tablet remembers up
   * to where history was collected.
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

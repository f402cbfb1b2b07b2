package dev.kudu4j.common.time;

import java.time.Instant;
import java.util.function.LongSupplier;

/** The physical clock and what is known of its error. */
public interface TimeSource {
  /** Microseconds since the epoch. */
  long nowMicros();

  /** The most that {@link #nowMicros} may differ from true time. */
  long maxErrorMicros();

  /** The same clock, moved by so many microseconds, as they are each time that it is read. */
  default TimeSource movedBy(LongSupplier offsetMicros) {
    TimeSource unmoved = this;
    return new TimeSource() {
      @Override
      public long nowMicros() {
        return unmoved.nowMicros() + offsetMicros.getAsLong();
      }

      @Override
      public long maxErrorMicros() {
        return unmoved.maxErrorMicros();
      }
    };
  }

  /** The machine's clock with a configured bound of its error; needs no NTP daemon. */
  static TimeSource system(long maxErrorMicros) {
    return new TimeSource() {
      @Override
      public long nowMicros() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000L + now.getNano() / 1_000;
      }

      @Override
      public long maxErrorMicros() {
        return maxErrorMicros;
      }
    };
  }
}

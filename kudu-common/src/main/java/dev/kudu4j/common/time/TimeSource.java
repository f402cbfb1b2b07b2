package dev.kudu4j.common.time;

import java.time.Instant;
import java.util.function.LongSupplier;

/** The physical clock and the bound of its error. */
public interface TimeSource {
  /** Microseconds since the epoch. */
  long nowMicros();

  /** The maximum difference between {@link #nowMicros} and true time. */
  long maxErrorMicros();

  /** This clock with an offset, which is evaluated at every reading. */
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

  /** The machine's clock with a configured error bound; needs no NTP daemon. */
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

package dev.kudu4j.common.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kudu4j.common.TestVectors;
import dev.kudu4j.common.status.KuduException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class HybridTimeTest {
  private final SettableTime time = new SettableTime();
  private final HybridClock clock = new HybridClock(time, 10_000_000);

  static Stream<JsonNode> vectors() {
    return TestVectors.group("hybrid_time");
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void timestampsEqualKudus(JsonNode vector) {
    long micros = vector.get("micros").asLong();
    int logical = vector.get("logical").asInt();
    long encoded = Long.parseUnsignedLong(vector.get("encoded").asText());
    assertThat(HybridTime.of(micros, logical)).isEqualTo(encoded);
    assertThat(HybridTime.micros(encoded)).isEqualTo(micros);
    assertThat(HybridTime.logical(encoded)).isEqualTo(logical);
  }

  @Test
  void theLogicalClockAdvancesWhileThePhysicalClockStands() {
    time.micros = 1000;
    assertThat(clock.now()).isEqualTo(HybridTime.of(1000, 0));
    assertThat(clock.now()).isEqualTo(HybridTime.of(1000, 1));
    time.micros = 1001;
    assertThat(clock.now()).isEqualTo(HybridTime.of(1001, 0));
  }

  @Test
  void clockNeverGoesBack() {
    time.micros = 1000;
    long before = clock.now();
    time.micros = 500;
    assertThat(clock.now()).isEqualTo(before + 1);
  }

  @Test
  void reservedTimestampsAreNotHandedOutAgain() {
    time.micros = 1000;
    assertThat(clock.reserve(5)).isEqualTo(HybridTime.of(1000, 0));
    assertThat(clock.now()).isEqualTo(HybridTime.of(1000, 5));
  }

  @Test
  void theClockIsAheadOfReceivedTimestamps() {
    time.micros = 1000;
    clock.update(HybridTime.of(5000, 3));
    assertThat(clock.now()).isEqualTo(HybridTime.of(5000, 4));
    clock.update(HybridTime.of(2000, 0));
    assertThat(clock.now()).isEqualTo(HybridTime.of(5000, 5));
  }

  @Test
  void theClockRejectsTimestampsTooFarAhead() {
    time.micros = 1000;
    clock.update(HybridTime.of(10_001_000, 0));
    assertThatThrownBy(() -> clock.update(HybridTime.of(10_001_001, 0)))
        .isInstanceOf(KuduException.class);
    assertThatThrownBy(() -> clock.update(-1)).isInstanceOf(KuduException.class);
  }

  @Test
  void clockNeverGoesBackOverARestart() {
    KeptTime kept = new KeptTime();
    HybridClock before = new HybridClock(time, 10_000_000, kept);
    time.micros = 5_000_000;
    long own = before.now();
    time.micros = 1_000_000; // the clock was set back while the process was down
    HybridClock after = new HybridClock(time, 10_000_000, kept);
    long next = after.now();
    assertThat(next).isGreaterThan(own);
    after.update(HybridTime.of(9_000_000, 0)); // the clocks of others are ahead
    long moved = after.reserve(3) + 2;
    assertThat(new HybridClock(time, 10_000_000, kept).now()).isGreaterThan(moved);
  }

  @Test
  void theUpperBoundIsWrittenInSteps() {
    KeptTime kept = new KeptTime();
    HybridClock writing = new HybridClock(time, 10_000_000, kept);
    for (int i = 0; i < 100_000; i++) {
      time.micros += 10;
      writing.now();
    }
    assertThat(kept.writes).isBetween(4, 6); // a second
    assertThat(kept.ceiling).isGreaterThan(writing.now());
    time.micros += 10_000_000;
    assertThat(new HybridClock(time, 10_000_000, kept).now())
        .isEqualTo(HybridTime.ofMicros(time.micros));
  }

  private static final class KeptTime implements ClockMemory {
    private long ceiling;
    private int writes;

    @Override
    public long ceiling() {
      return ceiling;
    }

    @Override
    public void store(long raised) {
      assertThat(raised).isGreaterThan(ceiling);
      ceiling = raised;
      writes++;
    }
  }

  @Test
  void aTimestampIsInThePastOnlyBeyondTheErrorBound() {
    time.micros = 1000;
    time.maxErrorMicros = 100;
    assertThat(clock.isSurelyPast(HybridTime.of(900, 0))).isFalse();
    assertThat(clock.isSurelyPast(HybridTime.of(899, 4095))).isTrue();
  }

  private static final class SettableTime implements TimeSource {
    private long micros;
    private long maxErrorMicros;

    @Override
    public long nowMicros() {
      return micros;
    }

    @Override
    public long maxErrorMicros() {
      return maxErrorMicros;
    }
  }
}

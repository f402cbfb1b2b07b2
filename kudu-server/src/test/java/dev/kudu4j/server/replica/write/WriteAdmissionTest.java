package dev.kudu4j.server.replica.write;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class WriteAdmissionTest {
  private static final int SOFT = 1000;
  private static final int HARD = 2000;

  private final AtomicLong memoryUsed = new AtomicLong();
  private final WriteAdmission admission =
      new WriteAdmission(500, memoryUsed::get, SOFT, HARD, new Random(3)::nextDouble);

  private int admittedOfThousand(long used) {
    memoryUsed.set(used);
    int admitted = 0;
    for (int i = 0; i < 1000; i++) {
      admitted += admission.hasMemory() ? 1 : 0;
    }
    return admitted;
  }

  @Test
  void moreWritesAreRejectedTheFullerMemoryIs() {
    assertThat(admittedOfThousand(0)).isEqualTo(1000);
    assertThat(admittedOfThousand(SOFT - 1)).isEqualTo(1000);
    assertThat(admittedOfThousand(1250)).isBetween(700, 800);
    assertThat(admittedOfThousand(1750)).isBetween(200, 300);
    assertThat(admittedOfThousand(HARD)).isZero();
    assertThat(admission.refusedWrites()).isGreaterThan(1000);
  }

  @Test
  void admittedWritesCountAsApplied() {
    assertThat(admission.tryAdmit(500, 2000)).isTrue();
    assertThat(admittedOfThousand(0)).isZero();
    assertThat(admission.tryAdmit(1, 1)).isFalse();
    admission.release(500, 2000);
    assertThat(admittedOfThousand(0)).isEqualTo(1000);
  }
}

package dev.kudu4j.server.replica.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.common.status.KuduException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ApplyGateTest {
  private static final long LIMIT = 1 << 20;

  @Test
  void anEntryIsAdmittedAfterTheMaximumWait() {
    ApplyGate gate = new ApplyGate(() -> 2 * LIMIT, LIMIT, 50);
    gate.enter("tablet", 1000, () -> false);
    assertThat(gate.waits()).isEqualTo(1);
    assertThat(gate.waiting()).isZero();
    assertThat(gate.mayOverdraw()).isTrue();
    gate.leave();
    assertThat(gate.mayOverdraw()).isFalse();
  }

  @Test
  void anEntryOfAClosingReplicaIsNotApplied() {
    ApplyGate gate = new ApplyGate(() -> 2 * LIMIT, LIMIT, Long.MAX_VALUE / 2_000_000);
    assertThatThrownBy(() -> gate.enter("tablet", 1000, () -> true))
        .isInstanceOf(KuduException.class)
        .hasMessageContaining("the replica ended");
    assertThat(gate.waiting()).isZero();
  }
}

package dev.kudu4j.common.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ConnectionLimitsTest {
  private static final long HEAP_BYTES = 614L << 20;

  @Test
  void someDescriptorsAreReservedForFiles() {
    assertThat(ConnectionLimits.allowed(700, HEAP_BYTES)).isEqualTo(222);
    assertThat(ConnectionLimits.allowed(4_096, HEAP_BYTES)).isEqualTo(1_365);
    assertThat(ConnectionLimits.allowed(100, HEAP_BYTES)).isEqualTo(32);
  }

  @Test
  void theHeapLimitsConnectionsIfDescriptorsDoNot() {
    assertThat(ConnectionLimits.allowed(1 << 20, 128L << 20)).isEqualTo(2_048);
    assertThat(ConnectionLimits.allowed(Long.MAX_VALUE, HEAP_BYTES)).isEqualTo(9_824);
  }

  @Test
  void oneAddressCannotUseAllConnections() {
    assertThat(ConnectionLimits.of(100, 0, HEAP_BYTES, 1))
        .isEqualTo(new ConnectionLimits(100, 75, 25));
    assertThat(ConnectionLimits.of(100, 500, HEAP_BYTES, 1).perAddress()).isEqualTo(100);
    assertThat(ConnectionLimits.of(1, 0, HEAP_BYTES, 1)).isEqualTo(new ConnectionLimits(1, 1, 1));
  }
}

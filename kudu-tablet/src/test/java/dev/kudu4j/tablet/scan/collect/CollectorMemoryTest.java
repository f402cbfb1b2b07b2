package dev.kudu4j.tablet.scan.collect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CollectorMemoryTest {
  private static final long MB = 1 << 20;

  private final CollectorMemory memory = new CollectorMemory(128 * MB);

  @Test
  void oneScanGetsAtMostSixteenMegabytes() {
    CollectorMemory.Share alone = memory.join();
    assertThat(alone.isFull(16 * MB - 1)).isFalse();
    assertThat(alone.isFull(16 * MB)).isTrue();
    assertThat(alone.blockRows(4096)).isEqualTo(4096);
  }

  @Test
  void scansShareHalfOfTheLimitEqually() {
    List<CollectorMemory.Share> shares = join(64);
    assertThat(shares.get(0).isFull(MB - 1)).isFalse();
    assertThat(shares.get(0).isFull(MB)).isTrue();
    shares.subList(32, 64).forEach(CollectorMemory.Share::leave);
    assertThat(shares.get(0).isFull(MB)).isFalse();
  }

  @Test
  void smallSharesHaveSmallBlocks() {
    assertThat(join(64 * 4).get(0).blockRows(4096)).isEqualTo(1024);
    assertThat(join(64 * 100).get(0).blockRows(4096)).isEqualTo(512);
  }

  @Test
  void scansThatBeganBeforeTheOthersMakeThemReturnSoon() {
    List<CollectorMemory.Share> early = join(5);
    early.forEach(share -> share.hold(13 * MB));
    assertThat(memory.usedBytes()).isEqualTo(65 * MB);
    CollectorMemory.Share late = memory.join();
    assertThat(late.isFull(CollectorMemory.MIN_SHARE_BYTES - 1)).isFalse();
    assertThat(late.isFull(CollectorMemory.MIN_SHARE_BYTES)).isTrue();
    early.get(0).hold(0);
    assertThat(late.isFull(CollectorMemory.MIN_SHARE_BYTES)).isFalse();
  }

  @Test
  void memoryOfAScanIsCountedUntilItLeaves() {
    CollectorMemory.Share share = memory.join();
    share.hold(3 * MB);
    share.hold(2 * MB);
    assertThat(memory.usedBytes()).isEqualTo(2 * MB);
    share.leave();
    share.leave();
    share.hold(MB); // by a scan that is closing
    assertThat(memory.usedBytes()).isZero();
  }

  @Test
  void aScanIsRejectedWhileOthersHoldTheLimit() {
    CollectorMemory.Share share = memory.join();
    share.hold(128 * MB);
    assertThatThrownBy(memory::join)
        .isInstanceOfSatisfying(
            KuduException.class,
            e -> assertThat(e.code()).isEqualTo(StatusCode.SERVICE_UNAVAILABLE))
        .hasMessageContaining("1 open aggregations take 134217728 bytes, of at most 134217728")
        .hasMessageContaining("--memory_limit_hard_bytes");
    share.leave();
    memory.join().leave();
  }

  private List<CollectorMemory.Share> join(int count) {
    List<CollectorMemory.Share> shares = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      shares.add(memory.join());
    }
    return shares;
  }
}

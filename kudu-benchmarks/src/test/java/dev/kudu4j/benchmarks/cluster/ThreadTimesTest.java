package dev.kudu4j.benchmarks.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ThreadTimesTest {
  @Test
  void onlyThreadsWithThePrefixAreMeasured() throws Exception {
    List<Long> self = List.of(ProcessHandle.current().pid());
    ThreadTimes before = ThreadTimes.of(self, "busy-");
    assertThat(before.nanos()).isEmpty();
    double[] used = new double[1];
    Thread busy =
        new Thread(
            () -> {
              long end = System.nanoTime() + 50_000_000;
              while (System.nanoTime() - end < 0) {
                Thread.yield();
              }
              used[0] = ThreadTimes.of(self, "busy-").since(before);
            },
            "busy-thread");
    busy.start();
    busy.join();
    assertThat(used[0]).isBetween(1e5, 1e9);
  }

  @Test
  void newThreadsCountFromTheirStart() {
    ThreadTimes before = new ThreadTimes(Map.of(1L, 100L, 2L, 50L));
    ThreadTimes after = new ThreadTimes(Map.of(1L, 130L, 3L, 7L));
    assertThat(after.since(before)).isEqualTo(37);
    assertThat(ThreadTimes.UNKNOWN.since(before)).isNaN();
  }
}

package dev.kudu4j.benchmarks.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class ProcStatTest {
  private static final String TAIL =
      " S 1 1234 1234 0 -1 4194560 100 0 7 0 250 31 4 2 20 0 33 0 8000 123456 789";

  @Test
  void takesUserAndSystemTimeOfTheProcessAndOfItsEndedChildren() {
    assertThat(ProcStat.parse("1234 (kudu)" + TAIL)).isEqualTo(new ProcStat(281, 6));
    assertThat(ProcStat.parse("1234 (kudu)" + TAIL).ticks()).isEqualTo(287);
  }

  @Test
  void nameMayHoldBlanksAndParentheses() {
    assertThat(ProcStat.parse("1234 (a (very) odd) name)" + TAIL)).isEqualTo(new ProcStat(281, 6));
  }

  @Test
  void anythingElseIsRefused() {
    assertThatThrownBy(() -> ProcStat.parse("")).hasMessageContaining("/proc/PID/stat");
    assertThatThrownBy(() -> ProcStat.parse("1 (x)")).hasMessageContaining("/proc/PID/stat");
    assertThatThrownBy(() -> ProcStat.parse("1 (x) S 1 2")).hasMessageContaining("too short");
  }

  @Test
  void workOfThisProcessIsCounted() {
    long before = ProcStat.ticksOfTree(ProcessHandle.current());
    long spent = before;
    double sink = 0;
    while (spent < before + 3) { // ends because CPU time advances
      for (int i = 1; i < 1_000_000; i++) {
        sink += Math.sqrt(i);
      }
      spent = ProcStat.ticksOfTree(ProcessHandle.current());
    }
    assertThat(sink).isPositive();
  }

  @Test
  void workOfLivingChildrenIsCountedAndOfGoneProcessesIsNot() throws Exception {
    Process child = busyShell();
    try {
      ProcessHandle handle = child.toHandle();
      while (ProcStat.ticksOfTree(handle) < 3) {
        assertThat(child.isAlive()).isTrue();
      }
    } finally {
      child.descendants().forEach(ProcessHandle::destroyForcibly);
      child.destroyForcibly().waitFor();
    }
    assertThat(ProcStat.ticksOfTree(child.toHandle())).isZero();
  }

  private static Process busyShell() throws IOException {
    return new ProcessBuilder("sh", "-c", "sh -c 'while :; do :; done' & wait").start();
  }
}

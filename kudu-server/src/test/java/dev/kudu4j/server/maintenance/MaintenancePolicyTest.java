package dev.kudu4j.server.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.server.maintenance.OpPriority.Reason;
import dev.kudu4j.tablet.maintenance.MaintenanceTask.Kind;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tables of situations, and the first candidate in each. */
class MaintenancePolicyTest {
  private static final long MB = 1 << 20;
  private static final MaintenancePolicy POLICY =
      new MaintenancePolicy(64 * MB, 120_000, 1024 * MB, 128 * MB);

  private static OpStats flush(long memoryMb, long logMb, long ageSeconds) {
    return new OpStats(
        Kind.FLUSH, memoryMb * MB, logMb * MB, ageSeconds * 1000, 0, 0, memoryMb * MB, 0, 0, 0);
  }

  private static OpStats epochFlush(long delayMillis) {
    return new OpStats(Kind.FLUSH, MB / 2, MB, 10_000, delayMillis, 0, MB / 2, 0, 0, 0);
  }

  private static OpStats compaction(double gain, long ioMb) {
    return compaction(gain, ioMb, 0, 0);
  }

  private static OpStats compaction(double gain, long ioMb, double writesPerSecond, int priority) {
    return new OpStats(
        Kind.ROWSET_COMPACTION, 0, 0, 0, 0, 0, ioMb * MB, gain, writesPerSecond, priority);
  }

  private static OpStats collection(long freedMb, long ioMb) {
    return new OpStats(Kind.HISTORY_COLLECTION, 0, 0, 0, 0, freedMb * MB, ioMb * MB, 0, 0, 0);
  }

  /** The candidate that must be executed first is the first one of each situation. */
  static Stream<Arguments> situations() {
    return Stream.of(
        situation("memory is short: what frees most", true, flush(40, 1, 1), flush(30, 2000, 999)),
        situation(
            "memory is short: before log, disk and reads",
            true,
            flush(2, 1, 1),
            collection(900, 1),
            compaction(9, 1)),
        situation(
            "memory is short, little to free: the next rule",
            true,
            flush(0, 2000, 1),
            compaction(9, 1)),
        situation(
            "much log: before disk and reads",
            false,
            flush(1, 1024, 1),
            collection(900, 1),
            compaction(9, 1)),
        situation("more log before less", false, flush(1, 1100, 1), flush(63, 1030, 1)),
        situation("cheap disk space: before reads", false, collection(10, 20), compaction(9, 1)),
        situation("more disk space before less", false, collection(11, 20), collection(10, 1)),
        situation(
            "a tablet far above its share before a small gain",
            false,
            flush(164, 10, 1),
            compaction(1, 128)),
        situation(
            "a great gain before a tablet a little above its share",
            false,
            compaction(1, 16),
            flush(65, 10, 1)),
        situation(
            "an old flush before a compaction for little",
            false,
            flush(1, 1, 240),
            compaction(1, 128)),
        situation(
            "the flush of an epoch before a compaction for less",
            false,
            epochFlush(100),
            compaction(1, 16)),
        situation(
            "a great gain before the flush of an epoch",
            false,
            compaction(1, 2),
            epochFlush(5_000)),
        situation(
            "a great gain does not wait, however late the flush of an epoch is",
            false,
            compaction(1, 2),
            epochFlush(70_000)),
        situation(
            "the later of two flushes for epochs", false, epochFlush(2_000), epochFlush(1_000)),
        situation(
            "nothing waits for ever: age goes on counting",
            false,
            flush(1, 1, 120 * 200),
            compaction(1, 2)),
        situation(
            "reads before disk space that is dear", false, compaction(0.5, 64), collection(20, 70)),
        situation("the same gain for less", false, compaction(0.5, 16), compaction(0.5, 128)),
        situation("more gain for the same", false, compaction(0.6, 64), compaction(0.5, 64)),
        situation(
            "what writers will not soon make undone",
            false,
            compaction(0.5, 64),
            compaction(0.5, 64, 20 * MB, 0)),
        situation(
            "a table of higher priority", false, compaction(0.5, 64, 0, 1), compaction(0.52, 64)));
  }

  private static Arguments situation(String name, boolean memoryShort, OpStats... inOrder) {
    return Arguments.of(name, memoryShort, List.of(inOrder));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("situations")
  void theMostUrgentCandidateIsFirst(String name, boolean memoryShort, List<OpStats> inOrder) {
    OpStats first =
        inOrder.stream()
            .sorted(Comparator.comparing(OpStats::ioBytes)) // in any order of candidates
            .max(Comparator.comparing(stats -> POLICY.prioritize(stats, memoryShort)))
            .orElseThrow();
    assertThat(first).isEqualTo(inOrder.get(0));
    assertThat(POLICY.prioritize(first, memoryShort).isDue()).isTrue();
  }

  static Stream<Arguments> reasons() {
    return Stream.of(
        Arguments.of(Reason.NONE, false, flush(63, 1023, 119)),
        Arguments.of(Reason.PERFORMANCE, false, flush(64, 1, 1)),
        Arguments.of(Reason.PERFORMANCE, false, flush(0, 1, 120)),
        Arguments.of(Reason.NONE, false, flush(0, 0, 999)),
        Arguments.of(Reason.PERFORMANCE, false, epochFlush(1)),
        Arguments.of(Reason.NONE, false, epochFlush(0)),
        Arguments.of(Reason.LOG, false, flush(0, 1024, 1)),
        Arguments.of(Reason.MEMORY, true, flush(1, 1, 1)),
        Arguments.of(Reason.NONE, true, flush(0, 1, 1)),
        Arguments.of(Reason.NONE, false, compaction(0.009, 1)),
        Arguments.of(Reason.PERFORMANCE, false, compaction(0.01, 128)),
        Arguments.of(Reason.DISK, false, collection(1, 2)),
        Arguments.of(Reason.PERFORMANCE, false, collection(1, 3)),
        Arguments.of(Reason.NONE, false, collection(1, 101)),
        Arguments.of(Reason.NONE, false, collection(0, 0)));
  }

  @ParameterizedTest
  @MethodSource("reasons")
  void eachRuleAppliesFromItsThreshold(Reason reason, boolean memoryShort, OpStats stats) {
    assertThat(POLICY.prioritize(stats, memoryShort).reason()).isEqualTo(reason);
  }

  @Test
  void scoresAreFinite() {
    for (OpStats stats :
        List.of(
            compaction(1, 0), compaction(1e9, 0, Double.MAX_VALUE / 2, 5), flush(0, 1, 1 << 30))) {
      assertThat(POLICY.prioritize(stats, false).score()).isFinite();
    }
  }
}

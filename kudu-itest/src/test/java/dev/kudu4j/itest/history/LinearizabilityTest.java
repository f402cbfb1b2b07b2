package dev.kudu4j.itest.history;

import static dev.kudu4j.itest.history.RegisterCall.read;
import static dev.kudu4j.itest.history.RegisterCall.unansweredWrite;
import static dev.kudu4j.itest.history.RegisterCall.write;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.itest.history.Linearizability.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The checker on histories with a known result, and compared with one that tries every order. */
class LinearizabilityTest {
  private static final int BUDGET = 1_000_000;

  private static Verdict judge(RegisterCall... calls) {
    return Linearizability.judge(List.of(calls), 0, BUDGET);
  }

  private static void isExplained(RegisterCall... calls) {
    assertThat(judge(calls).kind()).isEqualTo(Verdict.Kind.LINEARIZABLE);
  }

  private static void isNotExplained(RegisterCall... calls) {
    assertThat(judge(calls).kind()).isEqualTo(Verdict.Kind.NOT_LINEARIZABLE);
  }

  @Test
  void anEmptyHistoryIsLinearizable() {
    isExplained();
  }

  @Test
  void aReadReturnsTheInitialValueOrTheLastWrite() {
    isExplained(read(1, 0, 1, 2), write(2, 5, 3, 4), read(1, 5, 5, 6));
  }

  @Test
  void aStaleReadIsNotExplained() {
    isNotExplained(write(1, 5, 1, 2), read(2, 0, 3, 4));
  }

  @Test
  void aValueNobodyWroteIsNotExplained() {
    isNotExplained(write(1, 5, 1, 2), read(2, 6, 3, 4));
  }

  @Test
  void aReadDuringAWriteMayReturnTheOldOrTheNewValue() {
    isExplained(write(1, 5, 1, 10), read(2, 0, 2, 3));
    isExplained(write(1, 5, 1, 10), read(2, 5, 2, 3));
  }

  @Test
  void anOldValueAfterTheNewOneIsNotExplainedEvenDuringTheWrite() {
    isExplained(write(1, 5, 1, 10), read(2, 0, 2, 3), read(3, 5, 4, 5));
    isNotExplained(write(1, 5, 1, 10), read(2, 5, 2, 3), read(3, 0, 4, 5));
  }

  @Test
  void herlihyAndWingsQueueLikeInversionOfTwoWritesIsNotExplained() {
    // Two concurrent writes; two readers that see them in different orders.
    isNotExplained(
        write(1, 1, 1, 20),
        write(2, 2, 1, 20),
        read(3, 1, 2, 3),
        read(3, 2, 4, 5),
        read(4, 2, 2, 3),
        read(4, 1, 4, 5));
    isExplained(
        write(1, 1, 1, 20),
        write(2, 2, 1, 20),
        read(3, 1, 2, 3),
        read(3, 2, 6, 7),
        read(4, 1, 4, 5));
  }

  @Test
  void callsThatTouchInTimeOverlap() {
    isExplained(write(1, 5, 1, 3), read(2, 0, 3, 4));
  }

  @Test
  void anUnansweredWriteMayTakeEffectLateOrNever() {
    isExplained(unansweredWrite(1, 5, 1), read(2, 0, 2, 3), read(2, 0, 4, 5));
    isExplained(unansweredWrite(1, 5, 1), read(2, 0, 2, 3), read(2, 5, 4, 5));
    isExplained(unansweredWrite(1, 5, 1), write(2, 6, 2, 3), read(2, 6, 4, 5), read(2, 5, 6, 7));
  }

  @Test
  void anUnansweredWriteTakesEffectOnceAndAfterItsStart() {
    isNotExplained(unansweredWrite(1, 5, 1), read(2, 5, 2, 3), read(2, 0, 4, 5));
    isNotExplained(read(2, 5, 1, 2), unansweredWrite(1, 5, 3));
    isNotExplained(
        unansweredWrite(1, 5, 1),
        read(2, 5, 2, 3),
        write(2, 6, 4, 5),
        read(2, 6, 6, 7),
        read(2, 5, 8, 9));
  }

  @Test
  void theVerdictContainsTheLongestPrefixAndTheCallsThatDoNotFit() {
    Verdict verdict = judge(write(1, 5, 1, 2), read(2, 5, 3, 4), read(2, 0, 5, 6));
    assertThat(verdict.order()).containsExactly(write(1, 5, 1, 2), read(2, 5, 3, 4));
    assertThat(verdict.stuck()).containsExactly(read(2, 0, 5, 6));
  }

  @Test
  void aSearchBeyondItsBudgetIsUndecided() {
    List<RegisterCall> calls = new ArrayList<>();
    for (int i = 1; i <= 20; i++) {
      calls.add(write(i, i, 1, 100));
    }
    calls.add(read(99, 77, 50, 60));
    assertThat(Linearizability.judge(calls, 0, 10_000).kind()).isEqualTo(Verdict.Kind.UNDECIDED);
  }

  @Test
  void aLongHistoryOfManyClientsIsCheckedQuickly() {
    Random random = new Random(7);
    List<RegisterCall> calls = honestHistory(random, 1_000, 5);
    assertThat(Linearizability.judge(calls, 0, BUDGET).isLinearizable()).isTrue();
    int victim = 800;
    while (!calls.get(victim).isRead()) {
      victim++;
    }
    RegisterCall read = calls.get(victim);
    calls.set(victim, read(read.client(), -1, read.invokedNanos(), read.answeredNanos()));
    assertThat(Linearizability.judge(calls, 0, BUDGET).kind())
        .isEqualTo(Verdict.Kind.NOT_LINEARIZABLE);
  }

  /**
   * Each call takes effect at a moment between its start and its end; some writes have no response.
   */
  private static List<RegisterCall> honestHistory(Random random, int count, int clients) {
    long[] free = new long[clients];
    List<long[]> effects = new ArrayList<>(); // moment, client, begin, end
    for (int i = 0; i < count; i++) {
      int client = random.nextInt(clients);
      long begin = free[client] + 1 + random.nextInt(5);
      long moment = begin + 1 + random.nextInt(20);
      long end = moment + 1 + random.nextInt(20);
      free[client] = end;
      effects.add(new long[] {moment, client, begin, end});
    }
    effects.sort((a, b) -> Long.compare(a[0], b[0]));
    List<RegisterCall> calls = new ArrayList<>();
    long value = 0;
    for (long[] effect : effects) {
      int client = (int) effect[1];
      if (random.nextInt(3) > 0) {
        calls.add(read(client, value, effect[2], effect[3]));
      } else {
        value = calls.size() + 1L;
        calls.add(
            random.nextInt(50) == 0
                ? unansweredWrite(client, value, effect[2])
                : write(client, value, effect[2], effect[3]));
      }
    }
    return calls;
  }

  @Test
  void verdictsOnSmallHistoriesEqualAnExhaustiveSearch() {
    int explained = 0;
    for (int seed = 0; seed < 4_000; seed++) {
      List<RegisterCall> calls = anyHistory(new Random(seed));
      boolean expected = someOrderExplains(calls, new boolean[calls.size()], 0);
      assertThat(Linearizability.judge(calls, 0, BUDGET).isLinearizable())
          .as("seed %d: %s", seed, calls)
          .isEqualTo(expected);
      explained += expected ? 1 : 0;
    }
    assertThat(explained).as("both verdicts are common").isBetween(400, 3_600);
  }

  private static List<RegisterCall> anyHistory(Random random) {
    List<RegisterCall> calls = new ArrayList<>();
    for (int i = 0; i < 2 + random.nextInt(5); i++) {
      long begin = random.nextInt(12);
      long end = begin + 1 + random.nextInt(8);
      long value = random.nextInt(3);
      calls.add(
          switch (random.nextInt(5)) {
            case 0, 1 -> read(i, value, begin, end);
            case 2, 3 -> write(i, value, begin, end);
            default -> unansweredWrite(i, value, begin);
          });
    }
    return calls;
  }

  /** Slow and obviously correct. The calls left at the end must be writes without a response. */
  private static boolean someOrderExplains(List<RegisterCall> calls, boolean[] used, long value) {
    boolean onlyUnansweredLeft = true;
    for (int i = 0; i < calls.size(); i++) {
      onlyUnansweredLeft &= used[i] || calls.get(i).answeredNanos() == RegisterCall.NEVER;
    }
    if (onlyUnansweredLeft) {
      return true;
    }
    for (int i = 0; i < calls.size(); i++) {
      RegisterCall call = calls.get(i);
      if (used[i] || endedBefore(calls, used, call) || (call.isRead() && call.value() != value)) {
        continue;
      }
      used[i] = true;
      boolean explains = someOrderExplains(calls, used, call.value());
      used[i] = false;
      if (explains) {
        return true;
      }
    }
    return false;
  }

  private static boolean endedBefore(List<RegisterCall> calls, boolean[] used, RegisterCall call) {
    for (int i = 0; i < calls.size(); i++) {
      if (!used[i] && calls.get(i).answeredNanos() < call.invokedNanos()) {
        return true;
      }
    }
    return false;
  }
}

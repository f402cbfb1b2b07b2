package dev.kudu4j.tablet.maintenance.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class CompactionPolicyTest {
  private static final long MB = 1 << 20;
  private static final long FULL = 32 * MB;
  private static final long BUDGET = 128 * MB;

  // Heights

  @Test
  void heightCountsTheRowSetsThatCoverAKey() {
    assertThat(KeySpace.averageHeight(List.of())).isZero();
    assertThat(KeySpace.averageHeight(List.of(rowSet(0, 100, FULL)))).isEqualTo(1, within(1e-9));
    List<RowSetShape> twice = List.of(rowSet(0, 100, FULL), rowSet(0, 100, FULL));
    assertThat(KeySpace.averageHeight(twice)).isEqualTo(2, within(1e-9));
    List<RowSetShape> apart = List.of(rowSet(0, 100, FULL), rowSet(200, 300, MB));
    assertThat(KeySpace.averageHeight(apart)).isEqualTo(1, within(1e-9));
  }

  /** Two rowsets overlap by half, so half of the data has height 2. */
  @Test
  void overlapIsWeighedByTheDataInIt() {
    List<RowSetShape> half = List.of(rowSet(0, 200, FULL), rowSet(100, 300, FULL));
    assertThat(KeySpace.averageHeight(half)).isEqualTo(1.5, within(1e-6));
  }

  @Test
  void keysWithACommonPrefixAreDistinguished() {
    List<RowSetShape> rowSets = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      String prefix = "a customer with a long name " + (i % 2 == 0 ? "x".repeat(40) : "");
      rowSets.add(shape(prefix + i, prefix + i + "z", FULL, 0));
    }
    rowSets.add(shape("A", "A", 1, 0));
    assertThat(KeySpace.averageHeight(rowSets)).isEqualTo(1, within(1e-6));
  }

  @Test
  void aRangeOfOneKeyHasWeight() {
    List<RowSetShape> points = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      points.add(rowSet(7, 7, MB));
    }
    assertThat(KeySpace.averageHeight(points)).isEqualTo(10, within(1e-9));
    points.add(
        shape("\0\0\0\7", "\0\0\0\7\0", MB, 0)); // and one whose last key has one more zero byte
    assertThat(KeySpace.averageHeight(points)).isBetween(10.0, 11.0);
  }

  // The paper's layouts

  /** The figure of the paper: a rowset is merged with the rowsets that it overlaps. */
  @Test
  void overlappingRowSetsAreMergedAndOthersLeft() {
    List<RowSetShape> rowSets =
        List.of(
            rowSet(0, 250, FULL), // 0, 1 and 2 overlap
            rowSet(50, 300, FULL),
            rowSet(0, 300, FULL),
            rowSet(301, 600, FULL),
            rowSet(601, 900, FULL));
    CompactionChoice choice = choose(rowSets);
    assertThat(choice.rowSets()).containsExactly(0, 1, 2);
    assertThat(choice.heightReduction()).isGreaterThan(0.9);
    assertThat(choice.bytes()).isEqualTo(3 * FULL);
  }

  @Test
  void rowSetsThatDoNotOverlapAreNotCompacted() {
    List<RowSetShape> rowSets = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      rowSets.add(rowSet(i * 100, i * 100 + 99, FULL));
    }
    assertThat(choose(rowSets).isEmpty()).isTrue();
  }

  @Test
  void nothingIsChosenFromOneOrNoRowSet() {
    assertThat(choose(List.of()).isEmpty()).isTrue();
    assertThat(choose(List.of(rowSet(0, 1000, FULL))).isEmpty()).isTrue();
    assertThat(choose(List.of(rowSet(0, 0, 1))).isEmpty()).isTrue();
  }

  @Test
  void identicalRangesFillTheBudget() {
    List<RowSetShape> rowSets = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      rowSets.add(rowSet(i, 1000 + i, FULL));
    }
    CompactionChoice choice = choose(rowSets);
    assertThat(choice.rowSets()).hasSize(4);
    assertThat(choice.heightReduction()).isEqualTo(3, within(0.1));
  }

  @Test
  void nestedRowSetsAreMerged() {
    List<RowSetShape> rowSets = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      rowSets.add(rowSet(i * 10, 1000 - i * 10, FULL / 4));
    }
    assertThat(choose(rowSets).rowSets()).hasSize(8);
  }

  @Test
  void identicalSmallIntervalsAreMergedToOne() {
    List<RowSetShape> rowSets = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      rowSets.add(rowSet(5, 500, MB / 2));
    }
    assertThat(choose(rowSets).rowSets()).hasSize(100);
  }

  @Test
  void rowSetsWithOneCommonKeyAreMerged() {
    List<RowSetShape> rowSets = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      rowSets.add(rowSet(5, 5, 4000));
    }
    assertThat(choose(rowSets).rowSets()).hasSize(10);
  }

  @Test
  void aLargeRowSetDoesNotBlockSmallRowSetsThatItOverlaps() {
    List<RowSetShape> rowSets = new ArrayList<>();
    rowSets.add(rowSet(0, 100_000, 4 * BUDGET));
    for (int i = 0; i < 64; i++) {
      rowSets.add(rowSet(i, 100 + i, MB));
    }
    CompactionChoice choice = choose(rowSets);
    assertThat(choice.rowSets()).hasSizeGreaterThan(8).doesNotContain(0);
  }

  // Small rowsets and deleted rows

  @Test
  void smallNeighboursAreMerged() {
    List<RowSetShape> rowSets = new ArrayList<>();
    for (int i = 0; i < 32; i++) {
      rowSets.add(rowSet(i * 100, i * 100 + 99, MB));
    }
    CompactionChoice choice = choose(rowSets);
    assertThat(choice.rowSets()).hasSize(32);
    assertThat(choice.heightReduction()).isZero();
  }

  @Test
  void aSmallRowSetWaitsForOthersBeforeALargeOneIsReadForIt() {
    List<RowSetShape> rowSets = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      rowSets.add(rowSet(i * 100, i * 100 + 99, FULL));
    }
    rowSets.add(rowSet(2000, 2099, FULL * 3 / 4));
    rowSets.add(rowSet(2100, 2110, MB));
    assertThat(choose(rowSets).isEmpty()).isTrue();
    for (int i = 0; i < 8; i++) {
      rowSets.add(rowSet(2111 + 10 * i, 2120 + 10 * i, MB));
    }
    assertThat(choose(rowSets).rowSets()).hasSizeGreaterThan(4);
  }

  @Test
  void manyDeletedRowsJustifyACompaction() {
    RowSetShape few = new RowSetShape(key(0), key(9), FULL, 1000, 50);
    RowSetShape many = new RowSetShape(key(10), key(19), FULL, 1000, 500);
    assertThat(choose(List.of(few, many)).rowSets()).containsExactly(1);
    assertThat(choose(List.of(few)).isEmpty()).isTrue();
  }

  // Size and speed

  /**
   * The timeout is far above the expected time, and far below the time of an algorithm that
   * compares all triples.
   */
  @Test
  @Timeout(60)
  void tenThousandRowSetsAreEvaluatedQuickly() {
    for (List<RowSetShape> layout : List.of(randomWide(), randomNarrow(), apart())) {
      assertThat(choose(layout).bytes()).isLessThanOrEqualTo(BUDGET);
    }
  }

  private static List<RowSetShape> randomWide() {
    Random random = new Random(1);
    List<RowSetShape> rowSets = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      int low = random.nextInt(100_000);
      rowSets.add(rowSet(low, 2_000_000_000 - random.nextInt(100_000), FULL));
    }
    return rowSets;
  }

  private static List<RowSetShape> randomNarrow() {
    Random random = new Random(2);
    List<RowSetShape> rowSets = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      int low = random.nextInt(2_000_000_000);
      rowSets.add(rowSet(low, low + random.nextInt(100_000_000), MB + random.nextInt(31 << 20)));
    }
    return rowSets;
  }

  private static List<RowSetShape> apart() {
    List<RowSetShape> rowSets = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      rowSets.add(rowSet(i * 100, i * 100 + 99, FULL));
    }
    return rowSets;
  }

  // Properties

  @Property(tries = 300)
  void neverOverBudgetAndNeverHigher(@ForAll("layouts") List<RowSetShape> rowSets) {
    CompactionChoice choice = choose(rowSets);
    long bytes = choice.rowSets().stream().mapToLong(i -> rowSets.get(i).bytes()).sum();
    assertThat(bytes).isEqualTo(choice.bytes()).isLessThanOrEqualTo(BUDGET);
    if (!choice.isEmpty()) {
      KeySpace space = KeySpace.of(rowSets);
      double widths = choice.rowSets().stream().mapToDouble(space::width).sum();
      double lower = choice.rowSets().stream().mapToDouble(space::lower).min().orElseThrow();
      double upper = choice.rowSets().stream().mapToDouble(space::upper).max().orElseThrow();
      assertThat(upper - lower).isLessThanOrEqualTo(widths + 1e-6);
      assertThat(choice.gain()).isPositive();
    }
  }

  /** Compacts the layout repeatedly, until nothing is left to gain. */
  @Property(tries = 60)
  void repeatedCompactionsTerminate(@ForAll("layouts") List<RowSetShape> first) {
    List<RowSetShape> rowSets = first;
    double height = KeySpace.averageHeight(rowSets);
    int steps = 0;
    for (CompactionChoice choice = choose(rowSets); !choice.isEmpty(); choice = choose(rowSets)) {
      rowSets = merged(rowSets, choice);
      assertThat(++steps).isLessThan(10 * first.size() + 50);
    }
    assertThat(KeySpace.averageHeight(rowSets)).isLessThanOrEqualTo(height + 0.3);
  }

  /**
   * Compares the choice with the best of all sets: it is worse by at most the width of one rowset.
   */
  @Property(tries = 150)
  void isWithinOneRowSetOfTheBest(@ForAll("fewRowSets") List<RowSetShape> rowSets) {
    KeySpace space = KeySpace.of(rowSets);
    double best = 0;
    double widest = 0;
    for (int i = 0; i < rowSets.size(); i++) {
      widest = Math.max(widest, space.width(i));
    }
    for (int set = 1; set < 1 << rowSets.size(); set++) {
      best = Math.max(best, netReduction(rowSets, space, set));
    }
    CompactionChoice choice = choose(rowSets);
    // All rowsets have the full size here: nothing but height counts.
    double found = choice.isEmpty() ? 0 : choice.gain();
    assertThat(found).isGreaterThanOrEqualTo(best - widest - 1e-6);
  }

  private static double netReduction(List<RowSetShape> rowSets, KeySpace space, int set) {
    double widths = 0;
    double lower = 1;
    double upper = 0;
    int count = Integer.bitCount(set);
    for (int i = 0; i < rowSets.size(); i++) {
      if ((set & 1 << i) != 0) {
        widths += space.width(i);
        lower = Math.min(lower, space.lower(i));
        upper = Math.max(upper, space.upper(i));
      }
    }
    return count * FULL > BUDGET
        ? 0
        : widths - (upper - lower) - 0.2 * count / Math.max(1, rowSets.size());
  }

  @Provide
  Arbitrary<List<RowSetShape>> layouts() {
    Arbitrary<RowSetShape> one =
        Combinators.combine(
                Arbitraries.integers().between(0, 1000),
                Arbitraries.frequencyOf(
                    net.jqwik.api.Tuple.of(4, Arbitraries.integers().between(0, 30)),
                    net.jqwik.api.Tuple.of(1, Arbitraries.integers().between(0, 1000)),
                    net.jqwik.api.Tuple.of(1, Arbitraries.just(0))),
                Arbitraries.longs().between(1, 2 * FULL),
                Arbitraries.integers().between(0, 100))
            .as(
                (low, width, bytes, ancient) ->
                    new RowSetShape(
                        key(low), key(low + width), bytes, 100, ancient < 80 ? 0 : ancient));
    return one.list().ofMaxSize(60);
  }

  @Provide
  Arbitrary<List<RowSetShape>> fewRowSets() {
    Arbitrary<RowSetShape> one =
        Combinators.combine(
                Arbitraries.integers().between(0, 100), Arbitraries.integers().between(0, 60))
            .as((low, width) -> rowSet(low, low + width, FULL));
    return one.list().ofMinSize(1).ofMaxSize(9);
  }

  /**
   * The rowsets after a merge: adjacent rowsets of full size and a remainder, over the key range of
   * the merged rowsets.
   */
  private static List<RowSetShape> merged(List<RowSetShape> rowSets, CompactionChoice choice) {
    List<RowSetShape> after = new ArrayList<>();
    int low = Integer.MAX_VALUE;
    int high = 0;
    double bytes = 0;
    for (int i = 0; i < rowSets.size(); i++) {
      RowSetShape shape = rowSets.get(i);
      if (choice.rowSets().contains(i)) {
        low = Math.min(low, number(shape.minKey()));
        high = Math.max(high, number(shape.maxKey()));
        bytes += shape.bytes() * (1 - shape.ancientShare());
      } else {
        after.add(shape);
      }
    }
    if (bytes < 1) {
      return after; // all rows were dead
    }
    int parts = Math.max(1, Math.min((int) Math.ceil(bytes / FULL), high - low));
    double left = bytes;
    for (int i = 0; i < parts; i++) {
      int from = low + (int) ((long) (high - low) * i / parts) + (i == 0 ? 0 : 1);
      int to = low + (int) ((long) (high - low) * (i + 1) / parts);
      long size = (long) (i == parts - 1 ? left : Math.min(left, FULL));
      after.add(new RowSetShape(key(Math.min(from, to)), key(to), Math.max(1, size), 100, 0));
      left -= size;
    }
    return after;
  }

  private static CompactionChoice choose(List<RowSetShape> rowSets) {
    return CompactionPolicy.choose(rowSets, BUDGET, FULL);
  }

  private static RowSetShape rowSet(int low, int high, long bytes) {
    return new RowSetShape(key(low), key(high), bytes, 1000, 0);
  }

  private static RowSetShape shape(String low, String high, long bytes, long ancient) {
    return new RowSetShape(bytes(low), bytes(high), bytes, 1000, ancient);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
  }

  private static byte[] key(int value) {
    return new byte[] {
      (byte) (value >>> 24), (byte) (value >>> 16), (byte) (value >>> 8), (byte) value
    };
  }

  private static int number(byte[] key) {
    byte[] four = Arrays.copyOf(key, 4);
    return (four[0] & 0xff) << 24
        | (four[1] & 0xff) << 16
        | (four[2] & 0xff) << 8
        | (four[3] & 0xff);
  }
}

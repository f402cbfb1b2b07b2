package dev.kudu4j.common.expression;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.LittleEndian;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class SampleHashTest {
  private static final int ROWS = 200_000;
  private static final ColumnSchema ID = ColumnSchema.builder("id", DataType.INT32).build();
  private static final ColumnSchema DAY = ColumnSchema.builder("day", DataType.INT8).build();
  private static final ColumnSchema NAME =
      ColumnSchema.builder("name", DataType.STRING).nullable(true).build();

  private static byte[] number(DataType type, long value) {
    byte[] cell = new byte[16];
    LittleEndian.putLong(cell, 0, value);
    LittleEndian.putLong(cell, 8, value >> 63);
    return Arrays.copyOf(cell, type.width());
  }

  /** Whether a sample by the id keeps the row. */
  private static boolean keeps(double lower, double upper, long seed, int id) {
    return RowEvaluator.matches(
        new Condition.Sample(List.of(ID), lower, upper, seed),
        column -> number(DataType.INT32, id));
  }

  private static double share(IntPredicate rows) {
    return IntStream.range(0, ROWS).filter(rows).count() / (double) ROWS;
  }

  /** Six standard deviations of the share of independent rows. */
  private static Offset<Double> chance(double share, double rows) {
    return within(6 * Math.sqrt(share * (1 - share) / rows));
  }

  @Test
  void sampleHasTheRequestedShare() {
    for (double wanted : new double[] {0.001, 0.01, 0.1, 0.5, 0.9, 0.999}) {
      for (long seed : new long[] {0, 1, 2, 7, -1, Long.MIN_VALUE}) {
        assertThat(share(id -> keeps(0, wanted, seed, id)))
            .as("%s, seed %d", wanted, seed)
            .isCloseTo(wanted, chance(wanted, ROWS));
      }
    }
    assertThat(share(id -> keeps(0, 1, 7, id))).isEqualTo(1);
    assertThat(share(id -> keeps(0.3, 0.3, 7, id))).isZero();
  }

  /** Small consecutive integers, the worst keys for a weak hash, and their bits. */
  @Test
  void sampleIsIndependentOfTheKey() {
    for (int bit = 0; bit < 16; bit++) {
      int mask = 1 << bit;
      for (int side : new int[] {0, mask}) {
        double rows = share(id -> (id & mask) == side);
        double kept = share(id -> (id & mask) == side && keeps(0, 0.2, 5, id));
        assertThat(kept / rows).as("bit %d", bit).isCloseTo(0.2, chance(0.2, rows * ROWS));
      }
    }
    for (int modulus : new int[] {3, 7, 10, 100}) {
      double kept = share(id -> id % modulus == 0 && keeps(0, 0.2, 5, id));
      assertThat(kept * modulus).isCloseTo(0.2, chance(0.2, (double) ROWS / modulus));
    }
    double pairs = share(id -> keeps(0, 0.2, 5, id) && keeps(0, 0.2, 5, id + 1));
    assertThat(pairs).isCloseTo(0.04, chance(0.04, ROWS));
  }

  @Test
  void samplesOfDifferentSeedsAreIndependent() {
    for (long seed = 1; seed < 70; seed++) {
      long other = seed;
      double both = share(id -> keeps(0, 0.3, 0, id) && keeps(0, 0.3, other, id));
      assertThat(both).as("seed %d", seed).isCloseTo(0.09, chance(0.09, ROWS));
    }
  }

  @Test
  void disjointRangesPartitionTheRows() {
    double[] bounds = {0, 1e-9, 0.1, 1 / 3.0, 0.7, 0.7000001, 1};
    for (int id = 0; id < 20_000; id++) {
      int kept = 0;
      for (int i = 1; i < bounds.length; i++) {
        kept += keeps(bounds[i - 1], bounds[i], 3, id) ? 1 : 0;
      }
      assertThat(kept).isEqualTo(1);
    }
  }

  @Test
  void equalNumbersOfDifferentTypesHaveTheSameHash() {
    List<DataType> types =
        List.of(DataType.INT8, DataType.INT16, DataType.INT32, DataType.INT64, DataType.DATE);
    for (long value : new long[] {0, 1, -1, 100, -128}) {
      assertThat(types.stream().map(type -> hash(type, number(type, value))).distinct()).hasSize(1);
    }
    assertThat(hash(DataType.UINT8, new byte[] {-1}))
        .isEqualTo(hash(DataType.INT16, number(DataType.INT16, 255)));
  }

  private static long hash(DataType type, byte[] cell) {
    return SampleHash.add(SampleHash.start(1), type, cell);
  }

  /** Servers and clients of different versions must agree. */
  @Test
  void hashNeverChanges() {
    List<Long> hashes = new ArrayList<>();
    hashes.add(SampleHash.start(7));
    hashes.add(hash(DataType.INT32, number(DataType.INT32, 42)));
    hashes.add(hash(DataType.DECIMAL128, number(DataType.DECIMAL128, -42)));
    hashes.add(hash(DataType.STRING, "kudu, an antelope".getBytes(UTF_8)));
    hashes.add(hash(DataType.STRING, new byte[0]));
    hashes.add(hash(DataType.STRING, null));
    assertThat(hashes)
        .doesNotHaveDuplicates()
        .containsExactly(
            7191089600892374487L,
            9129838320742759465L,
            -97011211003105303L,
            2503086696546751870L,
            7820624608461558873L,
            4304969691020537697L);
    assertThat(SampleHash.start(7)).isEqualTo(new SplittableRandom(7).nextLong());
    assertThat(SampleHash.bound(0.1)).isEqualTo(900719925474100L);
  }

  @Test
  void sampleIsNeverUnknownAndTakesAllColumnsIntoAccount() {
    Condition.Sample sample = new Condition.Sample(List.of(DAY, NAME), 0, 0.5, 7);
    int kept = 0;
    int differ = 0;
    for (int day = 0; day < 100; day++) {
      byte[] cell = {(byte) day};
      Boolean withNull = RowEvaluator.test(sample, column -> column.equals(DAY) ? cell : null);
      Boolean withText =
          RowEvaluator.test(sample, column -> column.equals(DAY) ? cell : new byte[0]);
      assertThat(withNull).isNotNull();
      assertThat(
              RowEvaluator.test(
                  new Condition.Not(sample), column -> column.equals(DAY) ? cell : null))
          .isEqualTo(!withNull);
      kept += withNull ? 1 : 0;
      differ += withNull.equals(withText) ? 0 : 1;
    }
    assertThat(kept).isBetween(25, 75);
    assertThat(differ).isBetween(25, 75);
  }
}

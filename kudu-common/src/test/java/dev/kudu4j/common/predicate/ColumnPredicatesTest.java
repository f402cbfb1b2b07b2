package dev.kudu4j.common.predicate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.SampleCells;
import dev.kudu4j.common.schema.CellOrder;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.LittleEndian;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class ColumnPredicatesTest {
  private static final ColumnSchema INT = ColumnSchema.builder("i", DataType.INT32).build();
  private static final ColumnSchema TEXT =
      ColumnSchema.builder("s", DataType.STRING).nullable(true).build();

  @Property(tries = 3000)
  void mergedPredicateMatchesTheIntersection(@ForAll long seed) {
    Random random = new Random(seed);
    DataType type = SampleCells.STORED_TYPES.get(random.nextInt(SampleCells.STORED_TYPES.size()));
    ColumnSchema column = ColumnSchema.builder("c", type).nullable(random.nextBoolean()).build();
    List<ColumnPredicate> predicates = new ArrayList<>();
    for (int i = random.nextInt(4); i >= 0; i--) {
      predicates.add(predicate(column, random));
    }
    List<ColumnPredicate> merged = ColumnPredicates.merge(predicates);
    assertThat(merged).hasSizeLessThanOrEqualTo(1);
    for (int i = 0; i < 20; i++) {
      byte[] cell =
          column.isNullable() && random.nextInt(5) == 0 ? null : SampleCells.of(type, random);
      assertThat(merged.stream().allMatch(p -> ColumnPredicates.matches(p, cell)))
          .as("%s from %s", merged, predicates)
          .isEqualTo(predicates.stream().allMatch(p -> ColumnPredicates.matches(p, cell)));
    }
  }

  private static ColumnPredicate predicate(ColumnSchema column, Random random) {
    DataType type = column.type();
    byte[] one = SampleCells.of(type, random);
    byte[] two = SampleCells.of(type, random);
    return switch (random.nextInt(8)) {
      case 0 -> new ColumnPredicate.Range(column, one, null);
      case 1 -> new ColumnPredicate.Range(column, null, two);
      case 2 -> new ColumnPredicate.Range(column, one, two);
      case 3 -> new ColumnPredicate.Equality(column, one);
      case 4 ->
          new ColumnPredicate.InList(
              column,
              Stream.generate(() -> SampleCells.of(type, random))
                  .limit(random.nextInt(6))
                  .toList());
      case 5 -> new ColumnPredicate.IsNotNull(column);
      case 6 ->
          random.nextInt(4) == 0
              ? new ColumnPredicate.IsNull(column)
              : new ColumnPredicate.IsNotNull(column);
      default ->
          new ColumnPredicate.InBloomFilter(
              column,
              List.of(BlockBloomFilter.empty(6, random.nextInt()).with(nonZeros(type, random))),
              random.nextBoolean() ? one : null,
              random.nextBoolean() ? two : null);
    };
  }

  /** Excludes floating-point zeros: a filter distinguishes the two zeros, a comparison does not. */
  private static List<byte[]> nonZeros(DataType type, Random random) {
    List<byte[]> cells = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      cells.add(SampleCells.of(type, random));
    }
    if (type == DataType.FLOAT || type == DataType.DOUBLE) {
      byte[] zero = new byte[type.width()];
      byte[] negativeZero = zero.clone();
      negativeZero[negativeZero.length - 1] = Byte.MIN_VALUE;
      cells.removeIf(cell -> CellOrder.compare(type, cell, zero) == 0);
      cells.add(zero);
      cells.add(negativeZero);
    }
    return cells;
  }

  @Test
  void rangeOfOneValueBecomesAnEquality() {
    assertThat(only(new ColumnPredicate.Range(INT, cell(5), cell(6))))
        .isInstanceOf(ColumnPredicate.Equality.class);
    assertThat(only(new ColumnPredicate.Range(INT, cell(Integer.MAX_VALUE), null)))
        .isInstanceOf(ColumnPredicate.Equality.class);
    assertThat(only(new ColumnPredicate.Range(TEXT, new byte[] {'a'}, new byte[] {'a', 0})))
        .isInstanceOf(ColumnPredicate.Equality.class);
  }

  @Test
  void contradictionsMatchNothing() {
    assertThat(only(new ColumnPredicate.Range(INT, cell(6), cell(6))))
        .isInstanceOf(ColumnPredicate.None.class);
    assertThat(only(new ColumnPredicate.InList(INT, List.of())))
        .isInstanceOf(ColumnPredicate.None.class);
    assertThat(only(new ColumnPredicate.IsNull(INT))).isInstanceOf(ColumnPredicate.None.class);
    assertThat(
            only(
                new ColumnPredicate.Equality(INT, cell(1)),
                new ColumnPredicate.Equality(INT, cell(2))))
        .isInstanceOf(ColumnPredicate.None.class);
  }

  @Test
  void notNullOnANotNullColumnIsOmitted() {
    assertThat(ColumnPredicates.merge(List.of(new ColumnPredicate.IsNotNull(INT)))).isEmpty();
    assertThat(ColumnPredicates.merge(List.of(new ColumnPredicate.IsNotNull(TEXT)))).hasSize(1);
  }

  @Test
  void rangesDoNotContainNan() {
    ColumnSchema column = ColumnSchema.builder("d", DataType.DOUBLE).build();
    byte[] nan = doubleCell(Double.NaN);
    assertThat(
            ColumnPredicates.matches(new ColumnPredicate.Range(column, doubleCell(1), null), nan))
        .isFalse();
    assertThat(ColumnPredicates.matches(new ColumnPredicate.Equality(column, nan), nan)).isFalse();
    assertThat(ColumnPredicates.matches(new ColumnPredicate.IsNotNull(column), nan)).isTrue();
    assertThat(only(new ColumnPredicate.Equality(column, nan)))
        .isInstanceOf(ColumnPredicate.None.class);
  }

  private static ColumnPredicate only(ColumnPredicate... predicates) {
    List<ColumnPredicate> merged = ColumnPredicates.merge(List.of(predicates));
    assertThat(merged).hasSize(1);
    return merged.get(0);
  }

  private static byte[] cell(int value) {
    byte[] cell = new byte[4];
    LittleEndian.putInt(cell, 0, value);
    return cell;
  }

  private static byte[] doubleCell(double value) {
    byte[] cell = new byte[8];
    LittleEndian.putLong(cell, 0, Double.doubleToRawLongBits(value));
    return cell;
  }
}

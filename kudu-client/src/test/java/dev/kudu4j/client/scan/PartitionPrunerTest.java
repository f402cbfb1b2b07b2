package dev.kudu4j.client.scan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.key.KeyBuffer;
import dev.kudu4j.common.key.KeyEncoder;
import dev.kudu4j.common.partition.HashDimension;
import dev.kudu4j.common.partition.HashedRange;
import dev.kudu4j.common.partition.Partition;
import dev.kudu4j.common.partition.PartitionKeyEncoder;
import dev.kudu4j.common.partition.PartitionSchema;
import dev.kudu4j.common.partition.RangeBounds;
import dev.kudu4j.common.partition.TablePartitions;
import dev.kudu4j.common.predicate.ColumnPredicate;
import dev.kudu4j.common.predicate.ColumnPredicates;
import dev.kudu4j.common.row.ArrayCells;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.common.schema.Schema;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class PartitionPrunerTest {
  private static final Schema TABLE =
      new Schema(
          List.of(
              ColumnSchema.builder("a", DataType.INT8).id(0).key(true).build(),
              ColumnSchema.builder("b", DataType.STRING).id(1).key(true).build(),
              ColumnSchema.builder("c", DataType.INT32).id(2).key(true).build(),
              ColumnSchema.builder("v", DataType.INT32).id(3).nullable(true).build()));
  private static final int KEY_COLUMNS = 3;

  /** A few values for each column, including the least and the greatest. */
  private static final List<List<byte[]>> VALUES =
      List.of(
          List.of(int8(-128), int8(-1), int8(0), int8(5), int8(127)),
          List.of(text(""), text("\0"), text("a"), text("a\0"), text("a\1"), text("b")),
          List.of(int32(Integer.MIN_VALUE), int32(-7), int32(0), int32(Integer.MAX_VALUE)));

  /** A random partitioning with its tablets, and a random scan, from one seed. */
  private static final class Draw {
    final Random random;
    final TablePartitions partitions;
    final PartitionKeyEncoder encoder;
    final List<ColumnPredicate> predicates = new ArrayList<>();
    byte[] lowerKey;
    byte[] upperKey;

    Draw(long seed) {
      random = new Random(seed);
      partitions = drawPartitions();
      encoder = new PartitionKeyEncoder(schema(), TABLE, IntStream.range(0, 4).toArray());
    }

    PartitionSchema schema() {
      return partitions.schema();
    }

    private TablePartitions drawPartitions() {
      List<Integer> rangeColumns = shuffledColumns().subList(0, random.nextInt(KEY_COLUMNS + 1));
      if (random.nextBoolean()) {
        rangeColumns = rangeColumns.stream().sorted().toList(); // often a prefix of the key
      }
      List<HashDimension> dimensions = drawDimensions(random.nextInt(3));
      PartitionSchema schema = new PartitionSchema(dimensions, rangeColumns, List.of());
      List<byte[]> borders = new ArrayList<>();
      for (int i = random.nextInt(4); i > 0 && !rangeColumns.isEmpty(); i--) {
        borders.add(encode(rangeColumns, drawRow()));
      }
      borders.sort(Arrays::compareUnsigned);
      List<HashedRange> ranges = new ArrayList<>();
      byte[] from = new byte[0];
      for (int i = 0; i <= borders.size(); i++) {
        byte[] to = i == borders.size() ? new byte[0] : borders.get(i);
        RangeBounds bounds = new RangeBounds(from, to);
        boolean gap = !borders.isEmpty() && random.nextInt(4) == 0;
        if (!bounds.isEmpty() && !(i < borders.size() && to.length == 0) && !gap) {
          boolean custom = !borders.isEmpty() && random.nextInt(3) == 0;
          ranges.add(
              new HashedRange(bounds, custom ? drawDimensions(dimensions.size()) : dimensions));
        }
        from = to;
      }
      if (ranges.isEmpty()) {
        ranges.add(new HashedRange(RangeBounds.UNBOUNDED, dimensions));
      }
      return TablePartitions.create(schema, TABLE, ranges, 10_000);
    }

    private List<HashDimension> drawDimensions(int count) {
      List<Integer> columns = shuffledColumns();
      List<HashDimension> dimensions = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        boolean takeTwo = i == count - 1 && random.nextBoolean();
        dimensions.add(
            new HashDimension(
                columns.subList(i, takeTwo ? i + 2 : i + 1),
                2 + random.nextInt(4),
                random.nextInt(3)));
      }
      return dimensions;
    }

    private List<Integer> shuffledColumns() {
      List<Integer> columns = new ArrayList<>(List.of(0, 1, 2));
      Collections.shuffle(columns, random);
      return columns;
    }

    void drawPredicates() {
      for (int i = random.nextInt(4); i > 0; i--) {
        predicates.add(drawPredicate(random.nextInt(KEY_COLUMNS)));
      }
      if (random.nextInt(3) == 0) {
        lowerKey = encode(List.of(0, 1, 2), drawRow());
      }
      if (random.nextInt(3) == 0) {
        upperKey = encode(List.of(0, 1, 2), drawRow());
      }
    }

    void pinAllColumns() {
      for (int i = 0; i < KEY_COLUMNS; i++) {
        predicates.add(new ColumnPredicate.Equality(TABLE.column(i), drawValue(i)));
      }
    }

    private ColumnPredicate drawPredicate(int column) {
      ColumnSchema schema = TABLE.column(column);
      return switch (random.nextInt(5)) {
        case 0 -> new ColumnPredicate.Equality(schema, drawValue(column));
        case 1 ->
            ColumnPredicates.inList(
                schema, List.of(drawValue(column), drawValue(column), drawValue(column)));
        case 2 -> new ColumnPredicate.Range(schema, drawValue(column), null);
        case 3 -> new ColumnPredicate.Range(schema, null, drawValue(column));
        default -> new ColumnPredicate.IsNotNull(schema);
      };
    }

    private byte[] drawValue(int column) {
      List<byte[]> values = VALUES.get(column);
      return values.get(random.nextInt(values.size()));
    }

    private ArrayCells drawRow() {
      return row(drawValue(0), drawValue(1), drawValue(2));
    }

    List<KeyInterval> prune() {
      return PartitionPruner.prune(
          TABLE, schema(), ColumnPredicates.merge(predicates), lowerKey, upperKey, KeyInterval.ALL);
    }

    boolean matches(ArrayCells row) {
      byte[] key = encode(List.of(0, 1, 2), row);
      return predicates.stream()
              .allMatch(
                  predicate ->
                      ColumnPredicates.matches(
                          predicate, row.cells()[TABLE.indexOfName(predicate.column().name())]))
          && (lowerKey == null || Arrays.compareUnsigned(key, lowerKey) >= 0)
          && (upperKey == null || Arrays.compareUnsigned(key, upperKey) < 0);
    }

    /** The tablet of the row; null where the table has none. */
    Partition tabletOf(ArrayCells row) {
      KeyBuffer key = new KeyBuffer();
      encoder.append(row, key);
      return partitions.partitions().stream()
          .filter(partition -> partition.contains(key))
          .findFirst()
          .orElse(null);
    }

    long visitedTablets() {
      List<KeyInterval> intervals = prune();
      return partitions.partitions().stream()
          .filter(partition -> isVisited(intervals, partition))
          .count();
    }
  }

  private static byte[] encode(List<Integer> columns, ArrayCells row) {
    KeyBuffer key = new KeyBuffer();
    for (int i = 0; i < columns.size(); i++) {
      byte[] cell = row.cells()[columns.get(i)];
      KeyEncoder.appendCell(
          TABLE.column(columns.get(i)).type(), cell, 0, cell.length, i == columns.size() - 1, key);
    }
    return key.toByteArray();
  }

  private static boolean isVisited(List<KeyInterval> intervals, Partition partition) {
    return intervals.stream()
        .anyMatch(interval -> interval.overlaps(partition.start(), partition.end()));
  }

  @Property(tries = 500)
  void prunedTabletsHaveNoMatchingRows(@ForAll long seed) {
    Draw draw = new Draw(seed);
    draw.drawPredicates();
    List<KeyInterval> intervals = draw.prune();
    for (byte[] a : VALUES.get(0)) {
      for (byte[] b : VALUES.get(1)) {
        for (byte[] c : VALUES.get(2)) {
          ArrayCells row = row(a, b, c);
          Partition tablet = draw.tabletOf(row);
          if (tablet != null && draw.matches(row)) {
            assertThat(isVisited(intervals, tablet))
                .as(
                    "row %s %s %s, tablet %s of %s, predicates %s, visited %s",
                    Arrays.toString(a),
                    Arrays.toString(b),
                    Arrays.toString(c),
                    tablet,
                    draw.schema(),
                    draw.predicates,
                    intervals)
                .isTrue();
          }
        }
      }
    }
  }

  @Property(tries = 1_000)
  void aWholeKeyPrunesToItsTablet(@ForAll long seed) {
    Draw draw = new Draw(seed);
    draw.pinAllColumns();
    assertThat(draw.visitedTablets()).isLessThanOrEqualTo(1);
  }

  @Property(tries = 500)
  void intervalsAreAscendingAndDisjoint(@ForAll long seed) {
    Draw draw = new Draw(seed);
    draw.drawPredicates();
    List<KeyInterval> intervals = draw.prune();
    for (int i = 1; i < intervals.size(); i++) {
      assertThat(intervals.get(i - 1).hasEnd()).isTrue();
      assertThat(Arrays.compareUnsigned(intervals.get(i - 1).end(), intervals.get(i).start()))
          .isNegative();
    }
  }

  @Test
  void valuesOfAllHashColumnsPruneToOneBucket() {
    PartitionSchema schema =
        hashed(new HashDimension(List.of(0), 4, 0), new HashDimension(List.of(2), 3, 7));
    assertThat(visited(schema, equal(0, int8(5)))).isEqualTo(3);
    assertThat(visited(schema, equal(2, int32(-7)))).isEqualTo(4);
    assertThat(visited(schema, equal(0, int8(5)), equal(2, int32(-7)))).isEqualTo(1);
    assertThat(visited(schema)).isEqualTo(12);
  }

  @Test
  void aListPrunesToTheBucketsOfItsValues() {
    PartitionSchema schema = hashed(new HashDimension(List.of(0), 16, 0));
    ColumnPredicate list =
        ColumnPredicates.inList(TABLE.column(0), List.of(int8(0), int8(5), int8(-1)));
    assertThat(visited(schema, list)).isEqualTo(3);
  }

  @Test
  void oneOfTwoColumnsOfADimensionPrunesNoBucket() {
    PartitionSchema schema = hashed(new HashDimension(List.of(0, 2), 4, 0));
    assertThat(visited(schema, equal(0, int8(5)))).isEqualTo(4);
  }

  /**
   * The least possible key of the rows with a = 5 is (5, '', minimum of c): a range that ends there
   * has none of these rows.
   */
  @Test
  void aRangeThatEndsAtTheFirstKeyOfAPrefixIsPruned() {
    PartitionSchema schema = new PartitionSchema(List.of(), List.of(0, 1, 2), List.of());
    byte[] first = encode(List.of(0, 1, 2), row(int8(5), text(""), int32(Integer.MIN_VALUE)));
    TablePartitions halves = split(schema, first);
    assertThat(visited(halves, null, equal(0, int8(5)))).isEqualTo(1);
    assertThat(visited(halves, null, new ColumnPredicate.Range(TABLE.column(0), int8(5), null)))
        .isEqualTo(1);
    assertThat(visited(halves, null, equal(1, text("a")))).isEqualTo(2);
  }

  @Test
  void aRangeThatBeginsAtTheUpperKeyIsPruned() {
    PartitionSchema schema = new PartitionSchema(List.of(), List.of(0), List.of());
    TablePartitions halves = split(schema, encode(List.of(0), row(int8(5), null, null)));
    byte[] first = encode(List.of(0, 1, 2), row(int8(5), text(""), int32(Integer.MIN_VALUE)));
    byte[] second = encode(List.of(0, 1, 2), row(int8(5), text(""), int32(Integer.MIN_VALUE + 1)));
    assertThat(visited(halves, first)).isEqualTo(1);
    assertThat(visited(halves, second)).isEqualTo(2);
  }

  @Test
  void noPredicateGivesOneInterval() {
    PartitionSchema schema = hashed(new HashDimension(List.of(0), 4, 0));
    assertThat(PartitionPruner.prune(TABLE, schema, List.of(), null, null, KeyInterval.ALL))
        .containsExactly(KeyInterval.ALL);
  }

  @Test
  void aNonePredicateVisitsNoTablet() {
    PartitionSchema schema = hashed(new HashDimension(List.of(0), 4, 0));
    assertThat(visited(schema, new ColumnPredicate.None(TABLE.column(3)))).isZero();
  }

  private static ColumnPredicate equal(int column, byte[] value) {
    return new ColumnPredicate.Equality(TABLE.column(column), value);
  }

  private static PartitionSchema hashed(HashDimension... dimensions) {
    return new PartitionSchema(List.of(dimensions), List.of(), List.of());
  }

  private static long visited(PartitionSchema schema, ColumnPredicate... predicates) {
    return visited(
        TablePartitions.create(schema, TABLE, List.of(), List.of(), 1000), null, predicates);
  }

  private static long visited(
      TablePartitions partitions, byte[] upperKey, ColumnPredicate... predicates) {
    List<KeyInterval> intervals =
        PartitionPruner.prune(
            TABLE, partitions.schema(), List.of(predicates), null, upperKey, KeyInterval.ALL);
    return partitions.partitions().stream()
        .filter(partition -> isVisited(intervals, partition))
        .count();
  }

  /** All keys in two ranges. */
  private static TablePartitions split(PartitionSchema schema, byte[] at) {
    byte[] none = {};
    List<HashedRange> ranges =
        List.of(
            new HashedRange(new RangeBounds(none, at), List.of()),
            new HashedRange(new RangeBounds(at, none), List.of()));
    return TablePartitions.create(schema, TABLE, ranges, 1000);
  }

  private static ArrayCells row(byte[] a, byte[] b, byte[] c) {
    return new ArrayCells(new byte[][] {a, b, c, null});
  }

  private static byte[] int8(int value) {
    return new byte[] {(byte) value};
  }

  private static byte[] int32(int value) {
    byte[] cell = new byte[4];
    LittleEndian.putInt(cell, 0, value);
    return cell;
  }

  private static byte[] text(String value) {
    return value.getBytes(StandardCharsets.UTF_8);
  }
}

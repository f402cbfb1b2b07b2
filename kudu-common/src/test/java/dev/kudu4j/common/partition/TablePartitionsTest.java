package dev.kudu4j.common.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.common.SampleCells;
import dev.kudu4j.common.key.KeyBuffer;
import dev.kudu4j.common.row.OperationType;
import dev.kudu4j.common.row.RowLayout;
import dev.kudu4j.common.row.RowOperationsReader;
import dev.kudu4j.common.row.RowOperationsWriter;
import dev.kudu4j.common.schema.CellOrder;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.schema.SchemaException;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class TablePartitionsTest {
  private static final Schema TABLE =
      new Schema(
              List.of(
                  ColumnSchema.builder("id", DataType.INT32).key(true).build(),
                  ColumnSchema.builder("name", DataType.STRING).key(true).build()))
          .withFreshIds();
  private static final PartitionSchema BY_ID =
      new PartitionSchema(List.of(), List.of(0), List.of());
  private static final PartitionSchema HASHED =
      new PartitionSchema(List.of(new HashDimension(List.of(1), 2, 0)), List.of(0), List.of());

  @Test
  void addedRangeGetsAPartitionForEachBucket() {
    TablePartitions before = create(HASHED, bounds(0, 10));
    TablePartitions.Change change = before.addRange(hashed(HASHED, bounds(10, 20)), TABLE);
    assertThat(change.changed()).hasSize(2);
    assertThat(change.after().partitions()).hasSize(4).isSorted();
    assertThat(change.after().dropRange(bounds(10, 20), TABLE).after()).isEqualTo(before);
  }

  @Test
  void textHasTheHashColumnsOfTheRange() {
    HashedRange range =
        new HashedRange(bounds(10, 20), List.of(new HashDimension(List.of(0), 3, 0)));
    TablePartitions.Change change = create(HASHED, bounds(0, 10)).addRange(range, TABLE);
    assertThat(change.after().partitions())
        .extracting(partition -> PartitionText.of(partition, change.after().schema(), TABLE))
        .contains(
            "HASH (name) PARTITION 1, RANGE (id) PARTITION 0 <= VALUES < 10",
            "HASH (id) PARTITION 2, RANGE (id) PARTITION 10 <= VALUES < 20");
  }

  @Test
  void addedRangeMustNotTouchAnother() {
    TablePartitions partitions = create(BY_ID, bounds(0, 10));
    assertFailure(
        () -> partitions.addRange(hashed(BY_ID, bounds(5, 15)), TABLE),
        StatusCode.INVALID_ARGUMENT,
        "new range partition conflicts with existing one: 5 <= VALUES < 15");
    assertFailure(
        () -> partitions.addRange(hashed(BY_ID, bounds(0, 10)), TABLE),
        StatusCode.ALREADY_PRESENT,
        "range partition already exists: 0 <= VALUES < 10");
  }

  @Test
  void droppedRangeMustExistExactly() {
    TablePartitions partitions = create(BY_ID, bounds(0, 10));
    assertFailure(
        () -> partitions.dropRange(bounds(0, 5), TABLE),
        StatusCode.INVALID_ARGUMENT,
        "no range partition to drop: 0 <= VALUES < 5");
    assertThat(partitions.dropRange(bounds(0, 10), TABLE).after().partitions()).isEmpty();
  }

  @Test
  void hashSchemaOfARangeIsKeptUntilItIsDropped() {
    TablePartitions partitions = create(HASHED, bounds(0, 10));
    HashedRange custom =
        new HashedRange(bounds(10, 20), List.of(new HashDimension(List.of(0), 3, 7)));
    TablePartitions after = partitions.addRange(custom, TABLE).after();
    assertThat(after.schema().customRanges()).containsExactly(custom);
    assertThat(after.partitions()).hasSize(5);
    assertThat(after.dropRange(bounds(10, 20), TABLE).after()).isEqualTo(partitions);
  }

  @Test
  void splitsMustLieInARange() {
    assertFailure(
        () -> split(0), StatusCode.INVALID_ARGUMENT, "split matches lower or upper bound: 0");
    assertFailure(() -> split(10), StatusCode.INVALID_ARGUMENT, "split out of bounds: 10");
    assertFailure(() -> split(-1), StatusCode.INVALID_ARGUMENT, "split out of bounds: -1");
    assertFailure(() -> split(25), StatusCode.INVALID_ARGUMENT, "split out of bounds: 25");
    assertFailure(() -> split(15), StatusCode.INVALID_ARGUMENT, "split out of bounds: 15");
    assertFailure(() -> split(3, 3), StatusCode.INVALID_ARGUMENT, "duplicate split row: 3");
    assertThat(split(3, 22).partitions()).hasSize(4);
  }

  private static TablePartitions split(int... ids) {
    List<byte[]> keys = IntStream.of(ids).mapToObj(id -> bounds(id, id + 1).lower()).toList();
    return TablePartitions.create(BY_ID, TABLE, List.of(bounds(0, 10), bounds(20, 25)), keys, 100);
  }

  @Test
  void tooManyPartitionsAreRefusedBeforeTheyAreMade() {
    List<HashDimension> huge =
        List.of(
            new HashDimension(List.of(0), Integer.MAX_VALUE, 0),
            new HashDimension(List.of(1), Integer.MAX_VALUE, 0));
    PartitionSchema schema = new PartitionSchema(huge, List.of(), List.of());
    assertThatThrownBy(() -> TablePartitions.create(schema, TABLE, List.of(), List.of(), 100))
        .isInstanceOfSatisfying(
            SchemaException.class,
            e -> assertThat(e.reason()).isEqualTo(SchemaException.Reason.TOO_MANY_TABLETS));
  }

  @Test
  void addedRangeNeedsAValidHashSchema() {
    TablePartitions partitions = create(HASHED, bounds(0, 10));
    for (List<HashDimension> bad :
        List.of(
            List.<HashDimension>of(),
            List.of(new HashDimension(List.of(0), 1, 0)),
            List.of(new HashDimension(List.of(0), Integer.MAX_VALUE, 0)))) {
      assertThatThrownBy(() -> partitions.addRange(new HashedRange(bounds(20, 30), bad), TABLE))
          .isInstanceOf(SchemaException.class);
    }
  }

  @Test
  void boundsMustComeInPairsOfRangeColumns() {
    assertBad("missing upper range bound", w -> w.begin(OperationType.RANGE_LOWER_BOUND).end());
    assertBad("missing lower range bound", w -> w.begin(OperationType.RANGE_UPPER_BOUND).end());
    assertBad("Illegal row operation type INSERT", w -> w.begin(OperationType.INSERT).end());
    assertBad("at least one range partition column", w -> w.begin(OperationType.SPLIT_ROW).end());
    assertBad(
        "split rows may only contain values for range partition columns: name",
        w -> w.begin(OperationType.SPLIT_ROW).setString(1, "x").end());
    assertBad(
        "range partition lower bound must be less than the upper bound: 5 <= VALUES < 5",
        w -> {
          w.begin(OperationType.RANGE_LOWER_BOUND).setInt(0, 5).end();
          w.begin(OperationType.RANGE_UPPER_BOUND).setInt(0, 5).end();
        });
    assertBad(
        "must not have maximum values for all components: 2147483647",
        w -> w.begin(OperationType.EXCLUSIVE_RANGE_LOWER_BOUND).setInt(0, Integer.MAX_VALUE).end());
  }

  private static void assertBad(String message, Consumer<RowOperationsWriter> rows) {
    RowOperationsWriter writer = new RowOperationsWriter(RowLayout.of(TABLE));
    rows.accept(writer);
    assertThatThrownBy(() -> RangeRows.read(writer.reader(), BY_ID, TABLE, new int[] {0, 1}))
        .isExactlyInstanceOf(KuduException.class)
        .hasMessageContaining(message);
  }

  @Test
  void rangesAreDescribedAsKuduDoes() {
    assertThat(text(RangeBounds.UNBOUNDED)).isEqualTo("UNBOUNDED");
    assertThat(text(new RangeBounds(bounds(3, 5).lower(), new byte[0]))).isEqualTo("VALUES >= 3");
    assertThat(text(new RangeBounds(new byte[0], bounds(3, 5).upper()))).isEqualTo("VALUES < 5");
    assertThat(text(bounds(3, 4))).isEqualTo("VALUE = 3");
    assertThat(text(bounds(-3, 4))).isEqualTo("-3 <= VALUES < 4");
    PartitionSchema two = new PartitionSchema(List.of(), List.of(1, 0), List.of());
    RowOperationsWriter writer = new RowOperationsWriter(RowLayout.of(TABLE));
    writer.begin(OperationType.RANGE_LOWER_BOUND).setString(1, "a\"b").setInt(0, 1).end();
    writer.begin(OperationType.RANGE_UPPER_BOUND).setString(1, "c").setInt(0, 2).end();
    RangeBounds bounds = RangeRows.read(writer.reader(), two, TABLE, new int[] {0, 1}).onlyBounds();
    assertThat(RangeText.of(bounds, two, TABLE))
        .isEqualTo("(\"a\\\"b\", 1) <= VALUES < (\"c\", 2)");
  }

  private static String text(RangeBounds bounds) {
    return RangeText.of(bounds, BY_ID, TABLE);
  }

  @Property(tries = 1000)
  void normalizedBoundsContainTheSameRows(@ForAll long seed) {
    Random random = new Random(seed);
    int count = 1 + random.nextInt(3);
    List<ColumnSchema> columns = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      DataType type = SampleCells.KEY_TYPES.get(random.nextInt(SampleCells.KEY_TYPES.size()));
      columns.add(ColumnSchema.builder("c" + i, type).key(true).build());
    }
    Schema table = new Schema(columns).withFreshIds();
    PartitionSchema schema =
        new PartitionSchema(List.of(), IntStream.range(0, count).boxed().toList(), List.of());
    int[] identity = IntStream.range(0, count).toArray();
    byte[][] lower = cells(table, random);
    byte[][] upper = cells(table, random);
    boolean exclusiveLower = random.nextBoolean();
    boolean inclusiveUpper = random.nextBoolean();
    RowOperationsWriter writer = new RowOperationsWriter(RowLayout.of(table));
    write(
        writer,
        exclusiveLower
            ? OperationType.EXCLUSIVE_RANGE_LOWER_BOUND
            : OperationType.RANGE_LOWER_BOUND,
        lower);
    write(
        writer,
        inclusiveUpper
            ? OperationType.INCLUSIVE_RANGE_UPPER_BOUND
            : OperationType.RANGE_UPPER_BOUND,
        upper);
    RangeBounds bounds;
    try {
      bounds = RangeRows.read(writer.reader(), schema, table, identity).onlyBounds();
    } catch (KuduException e) {
      bounds = null; // no row is in between
    }
    PartitionKeyEncoder encoder = new PartitionKeyEncoder(schema, table, identity);
    for (byte[][] row : List.of(cells(table, random), cells(table, random), lower, upper)) {
      if (isOutOfDates(table, row)) {
        continue;
      }
      int toLower = compare(table, row, lower);
      int toUpper = compare(table, row, upper);
      boolean expected =
          (exclusiveLower ? toLower > 0 : toLower >= 0)
              && (inclusiveUpper ? toUpper <= 0 : toUpper < 0);
      KeyBuffer key = new KeyBuffer();
      assertThat(encoder.append(reader(table, row), key)).isTrue();
      // An empty encoded bound means unbounded, so an upper bound of empty text contains
      // everything.
      if (count > 1
          || !table.column(0).type().isVariableLength()
          || upper[0].length > 0
          || inclusiveUpper) {
        assertThat(bounds != null && bounds.contains(key.array(), 0, key.length()))
            .isEqualTo(expected);
      }
    }
  }

  /** Cells that are not valid dates: the increment does not handle values after the last date. */
  private static boolean isOutOfDates(Schema table, byte[][] row) {
    for (int i = 0; i < row.length; i++) {
      DataType type = table.column(i).type();
      if (type == DataType.DATE
          && (CellOrder.compare(type, row[i], CellOrder.minimum(type)) < 0
              || CellOrder.compare(type, row[i], Objects.requireNonNull(CellOrder.maximum(type)))
                  > 0)) {
        return true;
      }
    }
    return false;
  }

  private static byte[][] cells(Schema table, Random random) {
    byte[][] cells = new byte[table.columnCount()][];
    do {
      for (int i = 0; i < cells.length; i++) {
        cells[i] = SampleCells.of(table.column(i).type(), random);
      }
    } while (isOutOfDates(table, cells));
    return cells;
  }

  private static int compare(Schema table, byte[][] left, byte[][] right) {
    for (int i = 0; i < left.length; i++) {
      int order = CellOrder.compare(table.column(i).type(), left[i], right[i]);
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  private static void write(RowOperationsWriter writer, OperationType type, byte[][] cells) {
    writer.begin(type);
    for (int i = 0; i < cells.length; i++) {
      writer.setCell(i, cells[i]);
    }
    writer.end();
  }

  private static RowOperationsReader reader(Schema table, byte[][] cells) {
    RowOperationsWriter writer = new RowOperationsWriter(RowLayout.of(table));
    write(writer, OperationType.INSERT, cells);
    RowOperationsReader reader = writer.reader();
    assertThat(reader.next()).isTrue();
    return reader;
  }

  @Property(tries = 300)
  void everyRowIsInExactlyOnePartitionOfATableWithoutGaps(@ForAll long seed) {
    Random random = new Random(seed);
    List<HashedRange> ranges =
        List.of(
            hashed(HASHED, new RangeBounds(new byte[0], bounds(0, 5).lower())),
            new HashedRange(bounds(0, 5), List.of(new HashDimension(List.of(0, 1), 5, 3))),
            new HashedRange(
                new RangeBounds(bounds(0, 5).upper(), new byte[0]),
                List.of(new HashDimension(List.of(0), 3, 9))));
    TablePartitions partitions = TablePartitions.create(HASHED, TABLE, ranges, 100);
    PartitionKeyEncoder encoder =
        new PartitionKeyEncoder(partitions.schema(), TABLE, new int[] {0, 1});
    KeyBuffer key = new KeyBuffer();
    assertThat(encoder.append(reader(TABLE, cells(TABLE, random)), key)).isTrue();
    assertThat(partitions.partitions()).filteredOn(p -> p.contains(key)).hasSize(1);
  }

  private static TablePartitions create(PartitionSchema schema, RangeBounds... bounds) {
    return TablePartitions.create(schema, TABLE, Arrays.asList(bounds), List.of(), 100);
  }

  private static HashedRange hashed(PartitionSchema schema, RangeBounds bounds) {
    return new HashedRange(bounds, schema.hashDimensions());
  }

  private static RangeBounds bounds(int lower, int upper) {
    RowOperationsWriter writer = new RowOperationsWriter(RowLayout.of(TABLE));
    writer.begin(OperationType.RANGE_LOWER_BOUND).setInt(0, lower).end();
    writer.begin(OperationType.RANGE_UPPER_BOUND).setInt(0, upper).end();
    return RangeRows.read(writer.reader(), BY_ID, TABLE, new int[] {0, 1}).onlyBounds();
  }

  private static void assertFailure(ThrowingCallable call, StatusCode code, String message) {
    assertThatThrownBy(call)
        .hasMessage(message)
        .isInstanceOfSatisfying(KuduException.class, e -> assertThat(e.code()).isEqualTo(code));
  }
}

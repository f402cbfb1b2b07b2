package dev.kudu4j.tablet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.index.IndexDefinition;
import dev.kudu4j.common.index.Uniqueness;
import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.row.OperationType;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.common.wire.IndexWire;
import dev.kudu4j.tablet.batch.ColumnBatch;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.components.Components;
import dev.kudu4j.tablet.env.TabletOptions;
import dev.kudu4j.tablet.index.IndexProgress;
import dev.kudu4j.tablet.log.RequestResult;
import dev.kudu4j.tablet.log.RowFailure;
import dev.kudu4j.tablet.scan.ScanSpec;
import dev.kudu4j.tablet.scan.TabletScanner;
import dev.kudu4j.tablet.unique.RowPlace;
import dev.kudu4j.tablet.unique.UniqueIndex;
import dev.kudu4j.tablet.unique.UniqueIndexes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes to a tablet with unique indexes succeed and fail as a simple model says, wherever the rows
 * are; the harness checks that a replay has the same outcome.
 */
class UniqueIndexTest {
  private static final Logger LOG = LoggerFactory.getLogger(UniqueIndexTest.class);
  private static final Schema SCHEMA =
      new Schema(
          List.of(
              ColumnSchema.builder("key", DataType.INT32).id(0).key(true).build(),
              ColumnSchema.builder("number", DataType.INT32).id(1).nullable(true).build(),
              ColumnSchema.builder("text", DataType.STRING).id(2).build(),
              ColumnSchema.builder("other", DataType.INT32).id(3).immutable(true).build()));

  private static final IndexDefinition BY_NUMBER =
      new IndexDefinition(0, "by_number", List.of(1), List.of(), Uniqueness.PREPARING);
  private static final IndexDefinition BY_TEXT =
      new IndexDefinition(1, "by_text", List.of(2, 3), List.of(1), Uniqueness.PREPARING);

  private static byte[] int32(int value) {
    byte[] cell = new byte[4];
    LittleEndian.putInt(cell, 0, value);
    return cell;
  }

  private static byte[] text(String value) {
    return value.getBytes(StandardCharsets.UTF_8);
  }

  private static RowOp insert(int key, Integer number, String text, int other) {
    return new RowOp(OperationType.INSERT, cells(key, number, text, other));
  }

  private static Map<Integer, byte[]> cells(int key, Integer number, String text, int other) {
    Map<Integer, byte[]> cells = new TreeMap<>();
    cells.put(0, int32(key));
    cells.put(1, number == null ? null : int32(number));
    cells.put(2, text(text));
    cells.put(3, int32(other));
    return cells;
  }

  private static RowOp update(int key, int column, byte[] cell) {
    Map<Integer, byte[]> cells = new TreeMap<>();
    cells.put(0, int32(key));
    cells.put(column, cell);
    return new RowOp(OperationType.UPDATE, cells);
  }

  private static RowOp delete(int key) {
    return new RowOp(OperationType.DELETE, Map.of(0, int32(key)));
  }

  private static List<RowFailure> write(TabletHarness harness, RowOp... rows) {
    return harness.write(List.of(RowOp.request(null, 0, 1, SCHEMA, List.of(rows)))).get(0).errors();
  }

  private static void define(TabletHarness harness, Uniqueness state) {
    List<IndexDefinition> indexes = new ArrayList<>();
    for (IndexDefinition index : List.of(BY_NUMBER, BY_TEXT)) {
      indexes.add(
          new IndexDefinition(index.id(), index.name(), index.columns(), index.included(), state));
    }
    harness.attribute(TabletDescriptor.INDEXES, IndexWire.toBytes(indexes));
  }

  @Test
  void aValueThatAnotherRowHasIsRefusedWithIndexAndValue() throws IOException {
    try (TabletHarness harness = new TabletHarness(SCHEMA, TabletOptions.DEFAULT)) {
      define(harness, Uniqueness.ENFORCED);
      assertThat(write(harness, insert(1, 10, "a", 1), insert(2, null, "a", 2))).isEmpty();
      List<RowFailure> failures =
          write(
              harness,
              insert(3, 10, "c", 3),
              insert(3, null, "a", 2),
              update(2, 1, int32(10)),
              insert(1, 99, "z", 9));
      assertThat(failures).extracting(RowFailure::row).containsExactly(0, 1, 2, 3);
      assertThat(failures).extracting(RowFailure::code).containsOnly(StatusCode.ALREADY_PRESENT);
      assertThat(failures)
          .extracting(RowFailure::message)
          .containsExactly(
              "unique index by_number: another row has the value (int32 number=10)",
              "unique index by_text: another row has the value (string text=\"a\", int32 other=2)",
              "unique index by_number: another row has the value (int32 number=10)",
              "key already present");
    }
  }

  @Test
  void aValueIsFreeOnceItsRowIsDeletedOrChanged() throws IOException {
    try (TabletHarness harness = new TabletHarness(SCHEMA, TabletOptions.DEFAULT)) {
      define(harness, Uniqueness.CHECKED);
      write(harness, insert(1, 10, "a", 1), insert(2, 20, "b", 1));
      harness.tablet().flush();
      assertThat(
              write(
                  harness,
                  delete(1),
                  insert(3, 10, "a", 1),
                  update(2, 1, int32(30)),
                  insert(4, 20, "c", 1),
                  update(2, 1, int32(30))))
          .isEmpty();
      assertThat(write(harness, update(4, 1, int32(30)))).hasSize(1);
      harness.tablet().flush();
      harness.tablet().maintenance().compactFully(0);
      assertThat(write(harness, update(4, 1, int32(30)), insert(1, 20, "x", 0))).hasSize(2);
    }
  }

  @Test
  void equalRowsAreFoundWhereTheStateAsksForIt() throws IOException {
    try (TabletHarness harness = new TabletHarness(SCHEMA, TabletOptions.DEFAULT)) {
      write(harness, insert(1, 10, "a", 1), insert(2, 10, "b", 1));
      harness.tablet().flush();
      write(harness, insert(3, null, "a", 2), insert(4, null, "b", 1));
      define(harness, Uniqueness.PREPARING);
      assertThat(harness.tablet().statistics().indexes())
          .extracting(IndexProgress::checkedAt)
          .containsOnly(Uniqueness.NOT_UNIQUE);
      harness.tablet().maintenance().buildIndexes();
      assertThat(harness.tablet().statistics().indexes())
          .allSatisfy(
              index -> {
                assertThat(index.checkedAt()).isEqualTo(Uniqueness.PREPARING);
                assertThat(index.duplicates()).startsWith("more than one row has the value (");
              });
      write(harness, delete(2), update(4, 2, text("c")));
      define(harness, Uniqueness.ENFORCED);
      assertThat(harness.tablet().statistics().indexes())
          .as("the result of the earlier state does not count")
          .extracting(IndexProgress::checkedAt)
          .containsOnly(Uniqueness.NOT_UNIQUE);
      harness.tablet().maintenance().buildIndexes();
      assertThat(harness.tablet().statistics().indexes())
          .extracting(IndexProgress::duplicates)
          .containsOnly("");
    }
  }

  /** A row that passes its value on does not leave entries behind. */
  @Test
  void valuesThatArePassedOnTakeNoMoreMemory() throws IOException {
    try (TabletHarness harness = new TabletHarness(SCHEMA, TabletOptions.DEFAULT);
        UniqueIndexes indexes = new UniqueIndexes(harness.environment().allocator())) {
      define(harness, Uniqueness.CHECKED);
      UniqueIndex index = indexes.of(harness.tablet().descriptor()).get(0);
      Components components = harness.tablet().pinComponents();
      try {
        for (int i = 0; i < 100; i++) {
          write(harness, insert(i, 7, "t", i));
          take(index, components, i);
          write(harness, delete(i));
        }
      } finally {
        components.unpin();
      }
      assertThat(indexes.rowsInMemory()).isEqualTo(1);
    }
  }

  /** Notes the value 7 for the row that was inserted last. */
  private static void take(UniqueIndex index, Components components, int key) throws IOException {
    byte[] encoded = new byte[4];
    LittleEndian.putInt(encoded, 0, Integer.reverseBytes(key ^ Integer.MIN_VALUE));
    RowPlace place = new RowPlace();
    place.set(
        components.activeMemRowSet(),
        components.activeMemRowSet().find(encoded, 0, encoded.length));
    index.value().begin();
    index.value().append(int32(7), 0, 4);
    assertThat(index.isTaken(components, place)).isFalse();
    index.note(place);
  }

  @Test
  void randomHistoriesAreLikeTheModel() throws IOException {
    long first = new Random().nextLong();
    LOG.info("Histories from seed {} on", first);
    for (int i = 0; i < 60; i++) {
      Random random = new Random(first + i);
      try (TabletHarness harness = new TabletHarness(SCHEMA, TabletOptions.DEFAULT)) {
        new History(harness, random).run(80);
      } catch (AssertionError e) {
        throw new AssertionError("Seed " + (first + i), e);
      }
    }
  }

  private record Row(Integer number, String text, int other) {}

  private static final class History {
    private final TabletHarness harness;
    private final Random random;
    private final Map<Integer, Row> rows = new TreeMap<>();
    private boolean enforced;

    History(TabletHarness harness, Random random) {
      this.harness = harness;
      this.random = random;
    }

    void run(int steps) throws IOException {
      define(harness, Uniqueness.PREPARING);
      for (int step = 0; step < steps; step++) {
        switch (random.nextInt(14)) {
          case 0 -> harness.tablet().flush();
          case 1 -> harness.tablet().maintenance().compactFully(0);
          case 2 -> harness.tablet().maintenance().buildIndexes();
          case 3 -> harness.restart();
          case 4 -> harness.crash(random);
          case 5 -> {
            harness.tablet().flush();
            rewrite();
          }
          case 6 -> {
            enforced = random.nextInt(4) > 0;
            define(harness, enforced ? Uniqueness.ENFORCED : Uniqueness.PREPARING);
          }
          default -> write();
        }
      }
      harness.restart();
      compareRows();
    }

    private void rewrite() throws IOException {
      List<Long> ids = new ArrayList<>();
      var components = harness.tablet().pinComponents();
      components.rowSets().forEach(rowSet -> ids.add(rowSet.id()));
      components.unpin();
      for (long id : ids) {
        harness.tablet().maintenance().rewriteColumns(id, List.of(1, 2), 0);
      }
    }

    private void write() {
      List<RowOp> operations = new ArrayList<>();
      Map<Integer, String> expected = new HashMap<>();
      int count = 1 + random.nextInt(20);
      for (int i = 0; i < count; i++) {
        RowOp operation = operation();
        operations.add(operation);
        String error = apply(operation);
        if (error != null) {
          expected.put(i, error);
        }
      }
      RequestResult result =
          harness.write(List.of(RowOp.request(null, 0, 1, SCHEMA, operations))).get(0);
      Map<Integer, String> found = new HashMap<>();
      result.errors().forEach(failure -> found.put(failure.row(), failure.message()));
      assertThat(found.keySet()).isEqualTo(expected.keySet());
      found.forEach((row, message) -> assertThat(message).startsWith(expected.get(row)));
    }

    private RowOp operation() {
      int key = random.nextInt(60);
      Integer number = random.nextInt(8) == 0 ? null : random.nextInt(80);
      String text = "t\0".substring(0, random.nextInt(3)) + random.nextInt(8);
      int other = random.nextInt(12);
      OperationType type =
          switch (random.nextInt(8)) {
            case 0, 1 -> OperationType.INSERT;
            case 2 -> OperationType.INSERT_IGNORE;
            case 3 -> OperationType.UPSERT;
            case 4 -> OperationType.UPSERT_IGNORE;
            case 5 -> OperationType.UPDATE;
            case 6 -> OperationType.UPDATE_IGNORE;
            default -> OperationType.DELETE_IGNORE;
          };
      Map<Integer, byte[]> cells = cells(key, number, text, other);
      switch (type) {
        case UPDATE, UPDATE_IGNORE -> {
          cells.remove(3);
          cells.remove(1 + random.nextInt(3));
        }
        case DELETE_IGNORE -> cells.keySet().removeIf(column -> column > 0);
        default -> {}
      }
      return new RowOp(type, cells);
    }

    /** Applies the operation to the model; returns the beginning of the error, or null. */
    private String apply(RowOp operation) {
      int key = LittleEndian.getInt(operation.cells().get(0), 0);
      Row before = rows.get(key);
      boolean ignores = operation.type().name().endsWith("_IGNORE");
      switch (operation.type()) {
        case INSERT, INSERT_IGNORE -> {
          if (before != null) {
            return ignores ? null : "key already present";
          }
        }
        case UPDATE, UPDATE_IGNORE -> {
          if (before == null) {
            return ignores ? null : "key not found";
          }
        }
        case UPSERT -> {
          if (before != null) {
            return "UPDATE not allowed for immutable column";
          }
        }
        case DELETE_IGNORE -> {
          rows.remove(key);
          return null;
        }
        default -> {}
      }
      Row after = changed(before, operation.cells());
      String violated = enforced ? violated(key, before == null, operation.cells(), after) : null;
      if (violated != null) {
        return ignores ? null : "unique index " + violated;
      }
      rows.put(key, after);
      return null;
    }

    private static Row changed(Row before, Map<Integer, byte[]> cells) {
      Integer number = before == null ? null : before.number();
      if (cells.containsKey(1)) {
        number = cells.get(1) == null ? null : LittleEndian.getInt(cells.get(1), 0);
      }
      String text =
          cells.containsKey(2) ? new String(cells.get(2), StandardCharsets.UTF_8) : before.text();
      int other = before == null ? LittleEndian.getInt(cells.get(3), 0) : before.other();
      return new Row(number, text, other);
    }

    /** The index in which another row has a value that the row gets. */
    private String violated(int key, boolean inserts, Map<Integer, byte[]> cells, Row after) {
      boolean setsNumber = inserts || cells.containsKey(1);
      boolean setsText = inserts || cells.containsKey(2);
      String found = null;
      for (Map.Entry<Integer, Row> one : rows.entrySet()) {
        Row row = one.getValue();
        if (one.getKey() == key) {
          continue;
        }
        if (setsNumber && after.number() != null && after.number().equals(row.number())) {
          return "by_number";
        }
        if (setsText && after.text().equals(row.text()) && after.other() == row.other()) {
          found = "by_text";
        }
      }
      return found;
    }

    private void compareRows() throws IOException {
      Map<Integer, Row> found = new TreeMap<>();
      try (TabletScanner scanner =
              harness.tablet().scan(ScanSpec.of(SCHEMA, harness.tablet().latestSnapshot()));
          ColumnBatch batch = new ColumnBatch(harness.environment().allocator(), SCHEMA)) {
        while (scanner.next(batch, Long.MAX_VALUE)) {}
        for (int i = 0; i < batch.rowCount(); i++) {
          byte[] number = cell(batch.column(1), i);
          found.put(
              LittleEndian.getInt(cell(batch.column(0), i), 0),
              new Row(
                  number == null ? null : LittleEndian.getInt(number, 0),
                  new String(cell(batch.column(2), i), StandardCharsets.UTF_8),
                  LittleEndian.getInt(cell(batch.column(3), i), 0)));
        }
      }
      assertThat(found).isEqualTo(rows);
    }

    private static byte[] cell(ColumnVector cells, int row) {
      if (cells.isNull(row)) {
        return null;
      }
      byte[] cell = new byte[cells.cellLength(row)];
      Memory.copy(cells.cellAddress(row), cell, 0, cell.length);
      return cell;
    }
  }
}

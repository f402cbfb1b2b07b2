package dev.kudu4j.tablet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.common.index.IndexDefinition;
import dev.kudu4j.common.row.OperationType;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.wire.IndexWire;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.check.IndexDifference;
import dev.kudu4j.tablet.check.IndexVerification;
import dev.kudu4j.tablet.check.TabletChecker;
import dev.kudu4j.tablet.components.Components;
import dev.kudu4j.tablet.env.TabletOptions;
import dev.kudu4j.tablet.index.IndexFile;
import dev.kudu4j.tablet.index.IndexFileWriter;
import dev.kudu4j.tablet.index.IndexProgress;
import dev.kudu4j.tablet.index.OrdinalSort;
import dev.kudu4j.tablet.maintenance.MaintenanceTask;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Verification and progress of the indexes of an open tablet. */
class IndexVerificationTest {
  private static final int ROWS = 1000; // of a rowset; the key of a row is its ordinal
  private static final Schema SCHEMA =
      new Schema(
          List.of(
              ColumnSchema.builder("key", DataType.INT32).id(0).key(true).build(),
              ColumnSchema.builder("number", DataType.INT32).id(1).nullable(true).build(),
              ColumnSchema.builder("text", DataType.STRING).id(2).build()));
  private static final IndexDefinition BY_NUMBER =
      new IndexDefinition(0, "by_number", List.of(1), List.of());
  private static final IndexDefinition BY_TEXT =
      new IndexDefinition(1, "by_text", List.of(2, 1), List.of(0));

  private TabletHarness harness;

  @BeforeEach
  void open() throws IOException {
    harness = new TabletHarness(SCHEMA, TabletOptions.DEFAULT);
  }

  @AfterEach
  void close() {
    harness.close();
  }

  private static byte[] int32(int value) {
    byte[] cell = new byte[4];
    LittleEndian.putInt(cell, 0, value);
    return cell;
  }

  /** The number of a row; null for some. */
  private static byte[] number(int key) {
    return key % 11 == 0 ? null : int32(key * 7 % 100);
  }

  private void write(OperationType type, int first, int step) throws IOException {
    List<RowOp> rows = new ArrayList<>();
    for (int key = first; key < first + ROWS; key += step) {
      Map<Integer, byte[]> cells = new HashMap<>();
      cells.put(0, int32(key));
      if (type != OperationType.DELETE) {
        cells.put(1, number(type == OperationType.UPDATE ? key + 1 : key));
        cells.put(2, ("text " + key % 13).getBytes(StandardCharsets.UTF_8));
      }
      rows.add(new RowOp(type, cells));
    }
    harness.write(List.of(RowOp.request(null, 0, 1, SCHEMA, rows)));
  }

  private void define(IndexDefinition... indexes) {
    harness.attribute(TabletDescriptor.INDEXES, IndexWire.toBytes(List.of(indexes)));
  }

  private void flushRows(int first) throws IOException {
    write(OperationType.INSERT, first, 1);
    harness.tablet().flush();
  }

  private IndexVerification.Progress verify() throws IOException {
    IndexVerification verification = new IndexVerification(() -> false);
    harness.tablet().verify(verification, harness.tablet().descriptor().indexes());
    return verification.progress();
  }

  /** The file of the first index of the only rowset. */
  private Path indexFile() {
    Components components = harness.tablet().pinComponents();
    try {
      IndexFile file = components.rowSets().get(0).onDisk().indexFiles().get(0);
      return file.file();
    } finally {
      components.unpin();
    }
  }

  private List<String> indexFiles() throws IOException {
    return harness.files().list(TabletHarness.DIRECTORY).stream()
        .filter(name -> name.endsWith(".index"))
        .toList();
  }

  @Test
  void soundIndexesHaveNoDifferences() throws IOException {
    flushRows(0);
    define(BY_NUMBER, BY_TEXT);
    flushRows(ROWS);
    write(OperationType.UPDATE, 0, 3);
    write(OperationType.DELETE, 0, 5);
    harness.tablet().flush();
    assertThat(verify())
        .isEqualTo(new IndexVerification.Progress(2, 2, 2, 2 * ROWS, 100, 0, List.of()));
    harness.tablet().maintenance().buildIndexes();
    assertThat(verify())
        .isEqualTo(new IndexVerification.Progress(4, 4, 0, 4 * ROWS, 100, 0, List.of()));
    harness.tablet().maintenance().compactFully(0);
    assertThat(verify().differences()).isZero();
    assertThat(verify().entriesCompared()).isPositive();
  }

  @Test
  void progressCountsRowsetsAndRows() throws IOException {
    flushRows(0);
    assertThat(harness.tablet().statistics().indexes()).isEmpty();
    define(BY_NUMBER);
    flushRows(ROWS);
    assertThat(harness.tablet().statistics().indexes())
        .containsExactly(new IndexProgress(0, 2, 1, 2 * ROWS, ROWS));
    assertThat(harness.tablet().statistics().missingIndexFiles()).isEqualTo(1);
    harness.tablet().maintenance().buildIndexes();
    assertThat(harness.tablet().statistics().indexes())
        .containsExactly(new IndexProgress(0, 2, 2, 2 * ROWS, 2 * ROWS));

    List<String> before = indexFiles();
    define(new IndexDefinition(7, "by_number", List.of(1), List.of()));
    assertThat(harness.tablet().statistics().indexes())
        .as("a new id makes the files those of no index")
        .containsExactly(new IndexProgress(7, 2, 0, 2 * ROWS, 0));
    harness.tablet().maintenance().buildIndexes();
    assertThat(harness.tablet().statistics().missingIndexFiles()).isZero();
    assertThat(indexFiles()).hasSize(2).doesNotContainAnyElementsOf(before);
    assertThat(verify().filesCompared()).isEqualTo(2);
  }

  @Test
  void filesOfDroppedIndexesAreRemovedBeforeOthersAreBuilt() throws IOException {
    define(BY_NUMBER, BY_TEXT);
    flushRows(0);
    flushRows(ROWS);
    assertThat(indexFiles()).hasSize(4);
    define(BY_TEXT, new IndexDefinition(7, "by_number", List.of(1), List.of()));
    runIndexTask("Removal of the files of dropped indexes");
    assertThat(indexFiles()).as("those of the other index").hasSize(2);
    assertThat(verify())
        .isEqualTo(new IndexVerification.Progress(2, 2, 2, 2 * ROWS, 100, 0, List.of()));
    runIndexTask("Index build of DiskRowSet");
    runIndexTask("Index build of DiskRowSet");
    assertThat(indexFiles()).hasSize(4);
    assertThat(indexTasks()).isEmpty();
    define();
    runIndexTask("Removal of the files of dropped indexes");
    assertThat(indexFiles()).isEmpty();
    harness.restart();
    assertThat(indexTasks()).isEmpty();
  }

  private List<MaintenanceTask> indexTasks() {
    return harness.tablet().maintenance().candidates(0, Long.MAX_VALUE).stream()
        .filter(task -> task.kind() == MaintenanceTask.Kind.INDEX_BUILD)
        .toList();
  }

  private void runIndexTask(String description) throws IOException {
    assertThat(indexTasks()).hasSize(1);
    assertThat(indexTasks().get(0).description()).startsWith(description);
    indexTasks().get(0).run();
  }

  @Test
  void aRowsetWithoutTheColumnNeedsNoFile() throws IOException {
    flushRows(0);
    List<ColumnSchema> columns = new ArrayList<>(SCHEMA.columns());
    columns.add(ColumnSchema.builder("added", DataType.INT64).id(3).nullable(true).build());
    harness.alter(new Schema(columns), "t");
    define(new IndexDefinition(0, "by_added", List.of(3), List.of()));
    assertThat(harness.tablet().statistics().missingIndexFiles()).isZero();
    assertThat(verify()).isEqualTo(new IndexVerification.Progress(0, 0, 0, 0, 0, 0, List.of()));
  }

  @Test
  void aCellThatIsNotThatOfTheRowIsADifference() throws IOException {
    define(BY_NUMBER);
    flushRows(0);
    replaceIndexFile(17, int32(12_345), true);
    IndexVerification.Progress found = verify();
    assertThat(found.differences()).isEqualTo(1);
    assertThat(found.first())
        .singleElement()
        .satisfies(
            difference -> {
              assertThat(difference.index()).isEqualTo("by_number");
              assertThat(difference.ordinal()).isEqualTo(17);
              assertThat(difference.text()).contains("has another cell of column number");
            });
    assertThat(String.join("\n", TabletChecker.check(harness.environment())))
        .contains("row 17: entry")
        .contains("has another cell of column number");

    define(new IndexDefinition(1, "by_number", List.of(1), List.of()));
    harness.tablet().maintenance().buildIndexes();
    assertThat(verify().differences()).as("rebuilt").isZero();
  }

  @Test
  void entriesThatDoNotAscendAreDifferences() throws IOException {
    define(BY_NUMBER);
    flushRows(0);
    replaceIndexFile(-1, null, false);
    IndexVerification.Progress found = verify();
    assertThat(found.differences()).isGreaterThan(20);
    assertThat(found.first())
        .hasSize(10)
        .allSatisfy(
            difference -> assertThat(difference.text()).contains("is below the one before"));
    assertThat(found.percent()).isEqualTo(100);
    assertThat(String.join("\n", TabletChecker.check(harness.environment())))
        .contains(found.differences() + " differences from the rows in all");
    harness.expectBrokenFiles();
  }

  @Test
  void aDamagedFileIsADifference() throws IOException {
    define(BY_NUMBER);
    flushRows(0);
    harness.files().flipBit(indexFile(), 8 * 200);
    IndexVerification.Progress found = verify();
    assertThat(found.differences()).isPositive();
    assertThat(found.first().get(0).ordinal()).isEqualTo(IndexDifference.WHOLE_FILE);
    assertThat(found.first().get(0).text()).contains(indexFile().toString(), "offset");
    assertThat(found.filesCompared()).isEqualTo(1);
    harness.expectBrokenFiles();
  }

  @Test
  void compactionsDoNotDeleteFilesUnderIt() throws IOException {
    define(BY_NUMBER, BY_TEXT);
    flushRows(0);
    flushRows(ROWS / 2 + ROWS);
    write(OperationType.UPDATE, 0, 2);
    List<String> before = indexFiles();
    AtomicBoolean compacted = new AtomicBoolean();
    IndexVerification verification =
        new IndexVerification(
            () -> {
              if (compacted.compareAndSet(false, true)) {
                compact();
              }
              return false;
            });
    harness.tablet().verify(verification, harness.tablet().descriptor().indexes());
    assertThat(compacted).isTrue();
    assertThat(verification.progress())
        .isEqualTo(new IndexVerification.Progress(4, 4, 0, 4 * ROWS, 100, 0, List.of()));
    assertThat(indexFiles()).isNotEmpty().doesNotContainAnyElementsOf(before);
  }

  private void compact() {
    try {
      harness.tablet().maintenance().compactFully(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aCancelledVerificationEnds() throws IOException {
    define(BY_NUMBER);
    flushRows(0);
    assertThatThrownBy(
            () ->
                harness
                    .tablet()
                    .verify(
                        new IndexVerification(() -> true), harness.tablet().descriptor().indexes()))
        .isInstanceOf(CancellationException.class);
  }

  /**
   * Replaces the file of the index on number by one of other cells.
   *
   * @param row the row with another cell; -1 for none
   * @param sorted whether its entries are in the right order
   */
  private void replaceIndexFile(int row, byte[] cell, boolean sorted) throws IOException {
    BufferAllocator allocator = harness.environment().allocator();
    Path wrong = TabletHarness.DIRECTORY.resolve("wrong");
    ColumnSchema column = SCHEMA.column(1);
    try (ColumnVector cells = new ColumnVector(allocator, column.type(), column.isNullable());
        OrdinalSort order = new OrdinalSort(allocator, ROWS);
        IndexFileWriter out = new IndexFileWriter(harness.environment(), wrong)) {
      for (int i = 0; i < ROWS; i++) {
        byte[] value = i == row ? cell : number(i);
        if (value == null) {
          cells.appendNull();
        } else {
          cells.append(value, 0, value.length);
        }
      }
      if (sorted) {
        order.by(cells);
      }
      out.write(column, cells, order);
      out.finish(0, 1, ROWS, order);
    }
    harness.files().put(indexFile(), harness.files().readAll(wrong));
    harness.files().delete(wrong);
  }
}

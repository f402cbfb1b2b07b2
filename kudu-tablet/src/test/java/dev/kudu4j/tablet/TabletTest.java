package dev.kudu4j.tablet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.common.array.ArrayCellWriter;
import dev.kudu4j.common.row.OperationType;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.tablet.checkpoint.CheckpointCrashPoints;
import dev.kudu4j.tablet.env.TabletOptions;
import dev.kudu4j.tablet.log.LogEntry;
import dev.kudu4j.tablet.log.LogPosition;
import dev.kudu4j.tablet.log.RequestId;
import dev.kudu4j.tablet.log.RequestResult;
import dev.kudu4j.tablet.log.RowFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TabletTest {
  private static final Schema SCHEMA =
      new Schema(
          List.of(
              ColumnSchema.builder("key", DataType.INT32).id(0).key(true).build(),
              ColumnSchema.builder("value", DataType.INT32).id(1).build(),
              ColumnSchema.builder("text", DataType.STRING).id(2).nullable(true).build(),
              ColumnSchema.builder("fixed", DataType.INT32)
                  .id(3)
                  .nullable(true)
                  .immutable(true)
                  .build()));

  private TabletHarness harness;

  @BeforeEach
  void makeTablet() throws IOException {
    harness = new TabletHarness(SCHEMA, TabletOptions.DEFAULT);
  }

  @AfterEach
  void closeTablet() {
    harness.close();
  }

  static byte[] int32(int value) {
    byte[] cell = new byte[4];
    LittleEndian.putInt(cell, 0, value);
    return cell;
  }

  /**
   * An operation on a row. The arguments are column id, value, column id, value …; a value is an
   * Integer or a string, or null for NULL.
   */
  static RowOp op(OperationType type, Object... idsAndValues) {
    Map<Integer, byte[]> cells = new LinkedHashMap<>();
    for (int i = 0; i < idsAndValues.length; i += 2) {
      Object value = idsAndValues[i + 1];
      byte[] cell =
          value instanceof Integer number
              ? int32(number)
              : value instanceof String text
                  ? text.getBytes(StandardCharsets.UTF_8)
                  : (byte[]) value;
      cells.put((Integer) idsAndValues[i], cell);
    }
    return new RowOp(type, cells);
  }

  private RequestResult write(RowOp... operations) {
    return write(null, operations);
  }

  private RequestResult write(RequestId id, RowOp... operations) {
    return harness
        .write(List.of(RowOp.request(id, 0, 1, harness.tablet().schema(), List.of(operations))))
        .get(0);
  }

  private List<String> readAt(long snapshot) throws IOException {
    return TabletScanText.read(harness.tablet(), harness.environment().allocator(), snapshot);
  }

  private List<String> read() throws IOException {
    return readAt(harness.tablet().latestSnapshot());
  }

  @Test
  void insertedRowIsReadBackFromMemoryAndFromDisk() throws IOException {
    write(op(OperationType.INSERT, 0, 7, 1, 70, 2, "seven"));
    String row = "0=[7, 0, 0, 0] 1=[70, 0, 0, 0] 2=[115, 101, 118, 101, 110] 3=null ";
    assertThat(read()).containsExactly(row);
    assertThat(harness.tablet().flush()).isEqualTo(new LogPosition(1, 0));
    assertThat(read()).containsExactly(row);
    harness.restart();
    assertThat(read()).containsExactly(row);
    assertThat(harness.tablet().statistics().liveRows()).isEqualTo(1);
    assertThat(harness.tablet().statistics().rowSetCount()).isEqualTo(1);
  }

  /** The keys of a large request are looked up together, before the first row is applied. */
  @Test
  void rowsOfALargeRequestAreFoundInAllRowSets() throws IOException {
    Random random = new Random(5);
    Set<Integer> live = new HashSet<>();
    for (int flush = 0; flush < 4; flush++) {
      RowOp[] rows = new RowOp[700];
      for (int i = 0; i < rows.length; i++) {
        int key = random.nextInt(3000) - 1500;
        boolean delete = live.contains(key) && random.nextInt(3) == 0;
        rows[i] =
            delete ? op(OperationType.DELETE, 0, key) : op(OperationType.UPSERT, 0, key, 1, flush);
        assertThat(delete ? live.remove(key) : live.add(key) || live.contains(key)).isTrue();
      }
      assertThat(write(rows).errors()).isEmpty();
      harness.tablet().flush();
    }
    RowOp[] rows = new RowOp[2000];
    List<Integer> present = new ArrayList<>();
    List<Integer> broken = List.of(1200, 1700);
    for (int i = 0; i < rows.length; i++) {
      int key = random.nextInt(4000) - 2000;
      rows[i] = op(OperationType.INSERT, 0, key, 1, 9);
      if (broken.contains(i)) {
        rows[i] = op(OperationType.INSERT, 1, 9);
      } else if (!live.add(key)) {
        present.add(i);
      }
    }
    List<RowFailure> errors = write(rows).errors();
    assertThat(errors)
        .filteredOn(error -> error.code() == StatusCode.ALREADY_PRESENT)
        .extracting(RowFailure::row)
        .containsExactlyElementsOf(present);
    assertThat(errors)
        .filteredOn(error -> error.code() == StatusCode.INVALID_ARGUMENT)
        .extracting(RowFailure::row)
        .containsExactlyElementsOf(broken);
    assertThat(errors).hasSize(present.size() + broken.size());
    assertThat(harness.tablet().statistics().liveRows()).isEqualTo(live.size());
  }

  @Test
  void everyKindOfOperationHasTheOutcomesOfTheProtocol() {
    RequestResult result =
        write(
            op(OperationType.INSERT, 0, 1, 1, 10),
            op(OperationType.INSERT, 0, 1, 1, 11),
            op(OperationType.INSERT_IGNORE, 0, 1, 1, 12),
            op(OperationType.UPSERT, 0, 2, 1, 20),
            op(OperationType.UPSERT, 0, 2, 2, "two"),
            op(OperationType.UPDATE, 0, 3, 1, 30),
            op(OperationType.UPDATE_IGNORE, 0, 3, 1, 30),
            op(OperationType.UPDATE, 0, 1, 2, "one"),
            op(OperationType.UPDATE, 0, 1),
            op(OperationType.DELETE, 0, 1, 1, 10),
            op(OperationType.DELETE, 0, 4),
            op(OperationType.DELETE_IGNORE, 0, 4),
            op(OperationType.DELETE, 0, 2),
            op(OperationType.INSERT, 0, 5),
            op(OperationType.UPDATE, 0, 1, 3, 5),
            op(OperationType.UPDATE_IGNORE, 0, 1, 3, 5),
            op(OperationType.INSERT, 1, 5),
            op(OperationType.UPSERT_IGNORE, 0, 1, 1, 13, 3, 5));
    assertThat(result.errors())
        .extracting(error -> error.row() + " " + error.code() + " " + error.message())
        .containsExactly(
            "1 ALREADY_PRESENT key already present",
            "4 INVALID_ARGUMENT No value provided for required column: value INT32 NOT NULL",
            "5 NOT_FOUND key not found",
            "8 INVALID_ARGUMENT No fields updated, key is: (int32 key=<redacted>)",
            "9 INVALID_ARGUMENT DELETE should not have a value for column: value INT32 NOT NULL",
            "10 NOT_FOUND key not found",
            "13 INVALID_ARGUMENT No value provided for required column: value INT32 NOT NULL",
            "14 IMMUTABLE UPDATE not allowed for immutable column: fixed INT32 NULLABLE IMMUTABLE",
            "15 INVALID_ARGUMENT No fields updated, key is: (int32 key=<redacted>)",
            "16 INVALID_ARGUMENT No value provided for key column: key INT32 NOT NULL");
    assertThat(result.counts()).isEqualTo(new RequestResult.OutcomeCounts(1, 1, 2, 1, 1, 1, 1, 1));
  }

  @Test
  void anInsertGetsTheDefaultsOfKeyColumnsToo() throws IOException {
    List<ColumnSchema> columns = new ArrayList<>(SCHEMA.columns());
    columns.set(0, columns.get(0).toBuilder().writeDefault(int32(7)).build());
    harness.alter(new Schema(columns), "t");
    RequestResult result =
        write(
            op(OperationType.INSERT, 1, 1),
            op(OperationType.INSERT, 1, 2),
            op(OperationType.UPSERT, 1, 3),
            op(OperationType.UPDATE, 1, 4),
            op(OperationType.DELETE));
    assertThat(result.errors())
        .extracting(error -> error.row() + " " + error.message())
        .containsExactly(
            "1 key already present",
            "3 No value provided for key column: key INT32 NOT NULL",
            "4 No value provided for key column: key INT32 NOT NULL");
    assertThat(read()).singleElement().asString().startsWith("0=[7, 0, 0, 0] 1=[3, 0, 0, 0]");
  }

  @Test
  void errorsShowTheKeyOnRequestOnly() throws IOException {
    try (TabletHarness open =
        new TabletHarness(SCHEMA, TabletOptions.DEFAULT.withRedaction(() -> false))) {
      RowOp update = op(OperationType.UPDATE, 0, 1);
      RequestResult result =
          open.write(List.of(RowOp.request(null, 0, 1, SCHEMA, List.of(update)))).get(0);
      assertThat(result.errors())
          .extracting(RowFailure::message)
          .containsExactly("No fields updated, key is: (int32 key=1)");
    }
  }

  @Test
  void tooLargeCellsAndKeysAreRowErrors() throws IOException {
    RequestResult result =
        write(
            op(OperationType.INSERT, 0, 1, 1, 1, 2, "x".repeat(64 << 10)),
            op(OperationType.INSERT, 0, 2, 1, 1, 2, "x".repeat((64 << 10) + 1)));
    assertThat(result.errors()).hasSize(1);
    assertThat(result.errors().get(0).message())
        .startsWith("value too large for column 'text' (65537 bytes");
    assertThat(read()).hasSize(1);
  }

  @Test
  void malformedArraysAreRowErrors() throws IOException {
    Schema schema =
        new Schema(
            List.of(
                ColumnSchema.builder("key", DataType.INT32).id(0).key(true).build(),
                ColumnSchema.arrayBuilder("a", DataType.STRING).id(1).nullable(true).build()));
    byte[] array = ArrayCellWriter.write(DataType.STRING, new byte[][] {{'x'}, {}}, null);
    byte[] integers = ArrayCellWriter.write(DataType.INT32, new int[2], null);
    try (TabletHarness arrays = new TabletHarness(schema, TabletOptions.DEFAULT)) {
      List<RowOp> rows =
          List.of(
              op(OperationType.INSERT, 0, 1, 1, array),
              op(OperationType.INSERT, 0, 2, 1, Arrays.copyOf(array, array.length - 4)),
              op(OperationType.UPDATE, 0, 1, 1, integers),
              op(OperationType.INSERT, 0, 3, 1, null));
      RequestResult result = arrays.write(List.of(RowOp.request(null, 0, 1, schema, rows))).get(0);
      assertThat(result.errors()).extracting(RowFailure::row).containsExactly(1, 2);
      assertThat(result.errors()).extracting(RowFailure::code).containsOnly(StatusCode.CORRUPTION);
      assertThat(result.errors())
          .extracting(RowFailure::message)
          .allSatisfy(
              message -> assertThat(message).startsWith("column 'a': corrupted array cell data: "));
      arrays.tablet().flush();
      arrays.restart();
      assertThat(
              TabletScanText.read(
                  arrays.tablet(),
                  arrays.environment().allocator(),
                  arrays.tablet().latestSnapshot()))
          .hasSize(2);
    }
  }

  @Test
  void pastSnapshotsReadTheSameBeforeAndAfterAFlush() throws IOException {
    List<Long> snapshots = new ArrayList<>();
    List<List<String>> rows = new ArrayList<>();
    RowOp[] history = {
      op(OperationType.INSERT, 0, 1, 1, 1),
      op(OperationType.UPDATE, 0, 1, 1, 2),
      op(OperationType.DELETE, 0, 1),
      op(OperationType.INSERT, 0, 1, 1, 3, 2, "again"),
      op(OperationType.UPDATE, 0, 1, 2, null)
    };
    for (RowOp operation : history) {
      write(operation);
      snapshots.add(harness.tablet().latestSnapshot());
      rows.add(read());
    }
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < history.length; i++) {
        assertThat(readAt(snapshots.get(i))).describedAs("round %d", round).isEqualTo(rows.get(i));
      }
      if (round == 0) {
        harness.tablet().flush();
      } else {
        harness.restart();
      }
    }
  }

  @Test
  void changesMadeDuringAFlushAreCarriedOver() throws IOException {
    for (int i = 0; i < 10; i++) {
      write(op(OperationType.INSERT, 0, i, 1, i));
    }
    harness.atCrashPoint(
        point -> {
          if (point.equals(CheckpointCrashPoints.BEFORE_SUPERBLOCK)) {
            for (int i = 0; i < 400; i++) {
              write(op(OperationType.UPDATE, 0, 3, 1, i));
            }
            write(op(OperationType.DELETE, 0, 4));
            write(op(OperationType.INSERT, 0, 4, 1, 44));
            write(op(OperationType.DELETE, 0, 5));
          }
        });
    harness.tablet().flush();
    harness.atCrashPoint(null);
    List<String> rows = read();
    assertThat(rows).hasSize(9);
    assertThat(rows.get(3)).contains("1=[-113, 1, 0, 0]"); // 399
    assertThat(rows.get(4)).contains("1=[44, 0, 0, 0]");
    harness.crash(null);
    assertThat(read()).isEqualTo(rows);
    harness.tablet().flush();
    assertThat(read()).isEqualTo(rows);
  }

  @Test
  void aRetryGetsTheFirstResultAlsoAfterFlushAndRestart() throws IOException {
    RequestId id = new RequestId("client", 5, 5);
    RowOp insert = op(OperationType.INSERT, 0, 1, 1, 1);
    RequestResult first = write(id, insert, insert);
    assertThat(first.errors()).hasSize(1);
    assertThat(write(id, insert, insert)).isEqualTo(first);
    harness.tablet().flush();
    harness.crash(null);
    assertThat(write(id, insert, insert)).isEqualTo(first);
    assertThat(harness.tablet().cachedResult(id)).isEqualTo(first);
    write(new RequestId("client", 6, 6), op(OperationType.DELETE, 0, 1));
    assertThat(write(id, insert).errors().get(0).code()).isEqualTo(StatusCode.RUNTIME_ERROR);
    assertThat(read()).isEmpty();
  }

  @Test
  void piecesHaveOneResultAndAreAppliedOnce() throws IOException {
    RequestId id = new RequestId("client", 1, 1);
    List<RowOp> a =
        List.of(op(OperationType.INSERT, 0, 1, 1, 1), op(OperationType.INSERT, 0, 1, 1, 1));
    List<RowOp> b =
        List.of(op(OperationType.INSERT, 0, 2, 1, 1), op(OperationType.INSERT, 0, 2, 1, 1));
    harness.write(List.of(RowOp.request(id, 0, 2, SCHEMA, a)));
    assertThat(harness.tablet().cachedResult(id)).isNull();
    harness.tablet().flush();
    harness.crash(null);
    harness.write(List.of(RowOp.request(id, 0, 2, SCHEMA, a)));
    RequestResult last = harness.write(List.of(RowOp.request(id, 1, 2, SCHEMA, b))).get(0);
    assertThat(last.errors()).extracting(error -> error.row()).containsExactly(1, 3);
    assertThat(last.counts().successfulInserts()).isEqualTo(2);
    assertThat(harness.tablet().cachedResult(id)).isEqualTo(last);
  }

  @Test
  void aPieceWithoutThePreviousPiecesIsNotApplied() throws IOException {
    RequestId id = new RequestId("client", 1, 1);
    List<RowOp> a = List.of(op(OperationType.INSERT, 0, 1, 1, 1));
    List<RowOp> b = List.of(op(OperationType.INSERT, 0, 2, 1, 1));
    RequestResult stray = harness.write(List.of(RowOp.request(id, 1, 2, SCHEMA, b))).get(0);
    assertThat(stray.counts().successfulInserts()).isZero();
    assertThat(harness.tablet().cachedResult(id)).isNull();

    harness.write(List.of(RowOp.request(id, 0, 2, SCHEMA, a)));
    RequestResult last = harness.write(List.of(RowOp.request(id, 1, 2, SCHEMA, b))).get(0);

    assertThat(last.errors()).isEmpty();
    assertThat(last.counts().successfulInserts()).isEqualTo(2);
    assertThat(read()).hasSize(2);
  }

  @Test
  void aNewColumnHasItsReadDefaultInOlderRows() throws IOException {
    write(op(OperationType.INSERT, 0, 1, 1, 1));
    harness.tablet().flush();
    write(op(OperationType.INSERT, 0, 2, 1, 2));
    List<ColumnSchema> columns = new ArrayList<>(SCHEMA.columns());
    columns.remove(2);
    columns.add(
        ColumnSchema.builder("new", DataType.INT32)
            .id(4)
            .readDefault(int32(9))
            .writeDefault(int32(8))
            .build());
    harness.alter(new Schema(columns), "renamed");
    write(op(OperationType.INSERT, 0, 3, 1, 3));
    List<String> expected =
        List.of(
            "0=[1, 0, 0, 0] 1=[1, 0, 0, 0] 3=null 4=[9, 0, 0, 0] ",
            "0=[2, 0, 0, 0] 1=[2, 0, 0, 0] 3=null 4=[9, 0, 0, 0] ",
            "0=[3, 0, 0, 0] 1=[3, 0, 0, 0] 3=null 4=[8, 0, 0, 0] ");
    assertThat(read()).isEqualTo(expected);
    harness.tablet().flush();
    harness.restart();
    assertThat(read()).isEqualTo(expected);
    assertThat(harness.tablet().descriptor().tableName()).isEqualTo("renamed");
    assertThat(harness.tablet().descriptor().attributes().get("partition")).hasSize(5);
  }

  @Test
  void anAlterationToAnEarlierVersionChangesNothing() throws IOException {
    List<ColumnSchema> columns = new ArrayList<>(SCHEMA.columns());
    columns.add(ColumnSchema.builder("new", DataType.INT32).id(4).nullable(true).build());
    harness.alter(new Schema(columns), 3, "new");
    harness.alter(SCHEMA, 2, "old");
    assertThat(harness.tablet().descriptor().tableName()).isEqualTo("new");
    assertThat(harness.tablet().schema().columnCount()).isEqualTo(columns.size());
    assertThat(harness.tablet().latestSnapshot()).isEqualTo(harness.tablet().maxTimestamp() + 1);
    harness.restart();
    assertThat(harness.tablet().descriptor().schemaVersion()).isEqualTo(3);
  }

  @Test
  void aClosedTabletHasStatisticsAndAppliesNothing() throws IOException {
    write(op(OperationType.INSERT, 0, 1, 1, 1));
    Tablet closed = harness.tablet();
    closed.close();
    assertThat(closed.statistics().memRowSetBytes()).isZero();
    List<RowOp> row = List.of(op(OperationType.INSERT, 0, 2, 1, 1));
    byte[] bytes = LogEntry.encodeWrite(List.of(RowOp.request(null, 0, 1, SCHEMA, row)));
    LogEntry.patchTimestamp(bytes, closed.maxTimestamp() + 1);
    LogEntry entry = LogEntry.decode(bytes, 0, bytes.length);
    LogPosition next = new LogPosition(1, closed.applied().index() + 1);
    assertThatThrownBy(() -> closed.apply(next, entry))
        .isInstanceOf(KuduException.class)
        .hasMessageContaining("closed");
    harness.crash(null);
  }

  @Test
  void aFailedFlushKeepsAllRowsReadableAndIsRepeated() throws IOException {
    for (int n = 1; n < 30; n++) {
      write(op(OperationType.UPSERT, 0, n % 5, 1, n), op(OperationType.DELETE_IGNORE, 0, n % 3));
      List<String> rows = read();
      harness.files().failCall(n);
      try {
        harness.tablet().flush();
      } catch (IOException expected) {
        assertThat(expected).hasMessageContaining("Input/output error");
      }
      harness.files().failCall(0);
      assertThat(read()).isEqualTo(rows);
      write(op(OperationType.UPSERT, 0, 9, 1, n));
      rows = read();
      harness.tablet().flush();
      assertThat(read()).isEqualTo(rows);
      harness.crash(null);
      assertThat(read()).isEqualTo(rows);
    }
  }

  @Test
  void flushWithoutNewEntriesDoesNothing() throws IOException {
    write(op(OperationType.INSERT, 0, 1, 1, 1));
    LogPosition position = harness.tablet().flush();
    long calls = harness.files().calls();
    assertThat(harness.tablet().flush()).isEqualTo(position);
    assertThat(harness.files().calls()).isEqualTo(calls);
    harness.appendNothing();
    assertThat(harness.tablet().flush().index()).isEqualTo(1);
  }

  @Test
  void entriesOutOfOrderAreRefused() {
    write(op(OperationType.INSERT, 0, 1, 1, 1));
    assertThatThrownBy(() -> harness.tablet().skipEntry(new LogPosition(1, 0)))
        .isInstanceOf(KuduException.class)
        .hasMessageContaining("does not follow the last applied entry 0");
  }

  @Test
  void anExistingTabletCannotBeCreatedAgain() {
    assertThatThrownBy(() -> Tablet.create(harness.environment(), harness.tablet().descriptor()))
        .isInstanceOf(KuduException.class)
        .hasMessageContaining("already contains a tablet");
  }

  @Test
  void keySplitsDivideTheTableEvenly() throws IOException {
    for (int i = 0; i < 2000; i++) {
      write(op(OperationType.INSERT, 0, i, 1, i * 31, 2, "text " + i * 7919));
    }
    harness.tablet().flush();
    long bytes = harness.tablet().statistics().onDiskBytes();
    assertThat(harness.tablet().splitKeys(null, null, bytes * 2, new int[0])).isEmpty();
    List<byte[]> borders = harness.tablet().splitKeys(null, null, bytes / 4, new int[0]);
    assertThat(borders).hasSizeBetween(2, 5).isSortedAccordingTo(Arrays::compareUnsigned);
  }
}

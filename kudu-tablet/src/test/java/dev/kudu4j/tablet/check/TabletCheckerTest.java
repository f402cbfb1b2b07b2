package dev.kudu4j.tablet.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.row.OperationType;
import dev.kudu4j.common.row.RowLayout;
import dev.kudu4j.common.row.RowOperationsWriter;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tablet.Tablet;
import dev.kudu4j.tablet.TabletDescriptor;
import dev.kudu4j.tablet.env.StorageHarness;
import dev.kudu4j.tablet.log.LogEntry;
import dev.kudu4j.tablet.log.LogPosition;
import dev.kudu4j.tablet.log.WriteRequest;
import dev.kudu4j.tablet.proto.SuperblockPB;
import dev.kudu4j.tablet.superblock.SuperblockFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TabletCheckerTest {
  private static final Schema SCHEMA =
      new Schema(List.of(ColumnSchema.builder("k", DataType.INT32).id(0).key(true).build()));

  private final StorageHarness harness = new StorageHarness();
  private SuperblockFile superblockFile;

  @BeforeEach
  void makeTablet() throws IOException {
    superblockFile = new SuperblockFile(harness.files(), StorageHarness.DIRECTORY);
    try (Tablet tablet =
        Tablet.create(
            harness.environment(), new TabletDescriptor("t", "u", "table", SCHEMA, 1, Map.of()))) {
      write(tablet, 0, OperationType.INSERT, 1, 2, 3);
      tablet.flush();
      write(tablet, 1, OperationType.DELETE, 2);
      tablet.flush();
      write(tablet, 2, OperationType.INSERT, 2, 5);
      tablet.flush();
    }
  }

  @AfterEach
  void close() {
    harness.close();
  }

  private static void write(Tablet tablet, int index, OperationType type, int... keys) {
    RowOperationsWriter writer = new RowOperationsWriter(RowLayout.of(SCHEMA));
    for (int key : keys) {
      writer.begin(type).setInt(0, key).end();
    }
    byte[] entry =
        LogEntry.encodeWrite(List.of(new WriteRequest(null, 1, new int[] {0}, writer.packed())));
    LogEntry.patchTimestamp(entry, 100 + index);
    tablet.apply(new LogPosition(1, index), LogEntry.decode(entry, 0, entry.length));
  }

  private void change(Consumer<SuperblockPB.Builder> how) throws IOException {
    SuperblockPB.Builder message = superblockFile.read().toBuilder();
    how.accept(message);
    superblockFile.write(message.build());
  }

  @Test
  void aSoundTabletHasNoProblems() throws IOException {
    assertThat(TabletChecker.check(harness.environment())).isEmpty();
    StringBuilder dump = new StringBuilder();
    SuperblockDump.print(harness.environment(), dump);
    assertThat(dump).contains("table_name: \"table\"", "log_index: 2", "row_count: 3");
  }

  @Test
  void aKeyThatIsLiveTwiceIsDetected() throws IOException {
    change(message -> message.getRowSetsBuilder(0).clearRedoFiles().setLiveRowCount(3));
    assertThat(TabletChecker.check(harness.environment()))
        .singleElement()
        .asString()
        .contains("each key to be live once");
  }

  @Test
  void inconsistentCountsAreDetected() throws IOException {
    change(
        message -> {
          message.getRowSetsBuilder(0).setRowCount(4).setMinKey(ByteString.EMPTY);
          message.getRowSetsBuilder(0).getRedoFilesBuilder(0).setCount(2);
          message.setMaxTimestamp(101);
          message.setNextId(1);
        });
    List<String> problems = TabletChecker.check(harness.environment());
    assertThat(String.join("\n", problems))
        .contains(
            "rows: expected 4, found 3",
            "smallest key",
            "changes of",
            "timestamps up to 101, found 102",
            "rowset id");
    assertThatThrownBy(() -> TabletChecker.verify(harness.environment()))
        .isInstanceOf(KuduException.class);
  }

  @Test
  void changesOfDeletedRowsAreFound() throws IOException {
    change(
        message ->
            message
                .getRowSetsBuilder(0)
                .addRedoFiles(message.getRowSetsBuilder(0).getRedoFiles(0)));
    assertThat(String.join("\n", TabletChecker.check(harness.environment())))
        .contains("again", "cannot have a change of kind 2");
  }

  @Test
  void aTabletThatDoesNotFitItsSuperblockDoesNotOpen() throws IOException {
    change(message -> message.getRowSetsBuilder(0).setLiveRowCount(3));
    assertThatThrownBy(() -> Tablet.open(harness.environment()))
        .isInstanceOf(KuduException.class)
        .hasMessageContaining("expected 3 live rows, found 2");
  }

  @Test
  void columnsThatDoNotFitTheSchemaAreFound() throws IOException {
    change(
        message ->
            message
                .getSchemaBuilder()
                .getColumnsBuilder(0)
                .setType(dev.kudu4j.common.proto.common.DataType.INT64));
    assertThat(String.join("\n", TabletChecker.check(harness.environment())))
        .contains("column id 0: expected k INT64", "found k INT32");
  }

  @Test
  void theReportIdentifiesTheCorruptRowSet() throws IOException {
    String base = superblockFile.read().getRowSets(1).getBaseFile();
    List<String> files = new ArrayList<>();
    CheckListener watcher = (file, bytes) -> files.add(file.getFileName().toString());
    assertThat(TabletChecker.report(harness.environment(), watcher).allProblems()).isEmpty();
    assertThat(files).hasSize(3).contains(base);

    harness.files().flipBit(harness.path(base), 8 * 40);
    TabletReport report = TabletChecker.report(harness.environment(), CheckListener.NONE);
    assertThat(report.tableName()).isEqualTo("table");
    assertThat(report.problems()).isEmpty();
    assertThat(report.rowSets()).extracting(RowSetReport::isSound).containsExactly(true, false);
    assertThat(report.rowSets().get(0))
        .extracting(RowSetReport::rowCount, RowSetReport::liveRowCount, RowSetReport::changeCount)
        .containsExactly(3L, 2L, 1L);
  }

  @Test
  void brokenDataFilesAreFound() throws IOException {
    String base = superblockFile.read().getRowSets(0).getBaseFile();
    harness.files().flipBit(harness.path(base), 8 * 40);
    assertThat(TabletChecker.check(harness.environment())).isNotEmpty();
  }
}

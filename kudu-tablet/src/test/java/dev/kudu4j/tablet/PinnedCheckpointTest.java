package dev.kudu4j.tablet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.common.row.OperationType;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tablet.check.StagedFileDump;
import dev.kudu4j.tablet.checkpoint.FileNames;
import dev.kudu4j.tablet.checkpoint.PinnedCheckpoint;
import dev.kudu4j.tablet.env.TabletOptions;
import dev.kudu4j.tablet.superblock.SuperblockMessages;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A checkpoint that a copy reads from stays until it is released. */
class PinnedCheckpointTest {
  private static final Schema SCHEMA =
      new Schema(
          List.of(
              ColumnSchema.builder("key", DataType.INT32).id(0).key(true).build(),
              ColumnSchema.builder("value", DataType.INT32).id(1).build()));

  private TabletHarness harness;

  @BeforeEach
  void makeTablet() throws IOException {
    harness = new TabletHarness(SCHEMA, TabletOptions.DEFAULT);
  }

  @AfterEach
  void closeTablet() {
    harness.close();
  }

  private void insertAndFlush(int key) throws IOException {
    RowOp op = TabletTest.op(OperationType.INSERT, 0, key, 1, key);
    harness.write(List.of(RowOp.request(null, 0, 1, harness.tablet().schema(), List.of(op))));
    harness.tablet().flush();
  }

  private List<String> filesOnDisk() throws IOException {
    return harness.files().list(TabletHarness.DIRECTORY);
  }

  @Test
  void filesReplacedByACompactionStayUntilThePinIsReleased() throws IOException {
    for (int key = 0; key < 4; key++) {
      insertAndFlush(key);
    }
    Set<String> pinnedFiles;
    try (PinnedCheckpoint pinned = harness.tablet().pinCheckpoint()) {
      pinnedFiles = pinned.files().keySet();
      assertThat(pinnedFiles)
          .isEqualTo(SuperblockMessages.fileNames(pinned.superblock()))
          .hasSize(4);
      harness.tablet().maintenance().compactFully(0);
      insertAndFlush(10);
      assertThat(filesOnDisk()).containsAll(pinnedFiles);
      assertThat(pinned.position().index()).isLessThan(harness.tablet().checkpoint().index());
    }
    assertThat(filesOnDisk()).doesNotContainAnyElementsOf(pinnedFiles);
  }

  @Test
  void stagedRowsStayUntilTheirTransactionHasEndedAndThePinIsReleased() throws IOException {
    RowOp op = TabletTest.op(OperationType.INSERT, 0, 5, 1, 5);
    harness.write(List.of(RowOp.request(null, 7, 0, 1, harness.tablet().schema(), List.of(op))));
    insertAndFlush(1);
    String staged = FileNames.staged(2);
    assertThat(filesOnDisk()).contains(staged);
    StringBuilder text = new StringBuilder();
    StagedFileDump.print(harness.environment(), TabletHarness.DIRECTORY.resolve(staged), text);
    assertThat(text).startsWith("transaction 7: rows 1, staged 1, bytes ");
    try (PinnedCheckpoint pinned = harness.tablet().pinCheckpoint()) {
      assertThat(pinned.files()).containsKey(staged);
      long timestamp = harness.nextTimestamp() + 10;
      harness.prepare(7, timestamp);
      harness.tablet().flush();
      assertThat(filesOnDisk()).as("the commit needs the file").contains(staged);
      harness.commit(7, timestamp);
      harness.tablet().flush();
      assertThat(harness.tablet().statistics().liveRows()).isEqualTo(2);
      assertThat(filesOnDisk()).as("the pin keeps the file").contains(staged);
    }
    assertThat(filesOnDisk()).doesNotContain(staged);
  }

  @Test
  void aPinMayBeReleasedTwiceAfterTheTabletIsClosed() throws IOException {
    insertAndFlush(1);
    PinnedCheckpoint pinned = harness.tablet().pinCheckpoint();
    harness.tablet().close();
    assertThat(filesOnDisk()).containsAll(pinned.files().keySet());
    pinned.close();
    pinned.close();
    harness.reopen();
    assertThat(harness.tablet().statistics().liveRows()).isEqualTo(1);
  }

  @Test
  void onlyFilesOfTheSuperblockCanBeOpened() throws IOException {
    insertAndFlush(1);
    try (PinnedCheckpoint pinned = harness.tablet().pinCheckpoint()) {
      assertThatThrownBy(() -> pinned.file("superblock"))
          .isInstanceOf(KuduException.class)
          .hasMessageContaining("superblock");
    }
  }

  @Test
  void theLineageDoesNotChange() throws IOException {
    insertAndFlush(1);
    long lineage;
    try (PinnedCheckpoint pinned = harness.tablet().pinCheckpoint()) {
      lineage = pinned.superblock().getLineage();
    }
    harness.reopen();
    insertAndFlush(2);
    try (PinnedCheckpoint pinned = harness.tablet().pinCheckpoint()) {
      assertThat(pinned.superblock().getLineage()).isEqualTo(lineage);
    }
  }
}

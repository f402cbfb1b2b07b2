package dev.kudu4j.tablet.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.cfile.ColumnReader;
import dev.kudu4j.tablet.delta.DeltaFile;
import dev.kudu4j.tablet.delta.DeltaFileTest;
import dev.kudu4j.tablet.delta.DeltaFileWriter;
import dev.kudu4j.tablet.env.StorageHarness;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.file.BlockLocation;
import dev.kudu4j.tablet.file.FileKind;
import dev.kudu4j.tablet.rowset.BaseData;
import dev.kudu4j.tablet.rowset.RowSetFixture;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** Every corrupt byte is detected, and the message contains its position. */
class CorruptionTest {
  @Test
  void soundFilesHaveNoProblems() throws IOException {
    try (StorageHarness harness = small()) {
      Path base = writeBase(harness, 400);
      Path delta = writeDelta(harness);
      assertThat(BaseDataChecker.check(harness.environment(), base)).isEmpty();
      assertThat(DeltaFileChecker.check(harness.environment(), delta)).isEmpty();
      BaseDataChecker.verify(harness.environment(), base);
      DeltaFileChecker.verify(harness.environment(), delta);
    }
  }

  @Test
  void everyFlippedBitOfBaseDataIsFound() throws IOException {
    try (StorageHarness harness = small()) {
      assertEveryFlipIsFound(harness, writeBase(harness, 60), BaseDataChecker::check);
    }
  }

  @Test
  void everyFlippedBitOfColumnsIsFound() throws IOException {
    try (StorageHarness harness = small()) {
      assertEveryFlipIsFound(harness, writeColumns(harness, 100), ColumnFileChecker::check);
    }
  }

  @Test
  void everyFlippedBitOfDeltasIsFound() throws IOException {
    try (StorageHarness harness = small()) {
      assertEveryFlipIsFound(harness, writeDelta(harness), DeltaFileChecker::check);
    }
  }

  @FunctionalInterface
  private interface Checker {
    List<String> check(TabletEnvironment environment, Path file) throws IOException;
  }

  private static void assertEveryFlipIsFound(StorageHarness harness, Path path, Checker checker)
      throws IOException {
    int bytes = harness.files().readAll(path).length;
    Random random = new Random(1);
    for (int at = 0; at < bytes; at++) {
      long bit = 8L * at + random.nextInt(8);
      harness.files().flipBit(path, bit);
      List<String> problems = checker.check(harness.environment(), path);
      assertThat(problems).as("flip at byte %d of %d", at, bytes).isNotEmpty();
      assertThat(problems.get(0)).contains(path.toString()).contains("offset");
      harness.files().flipBit(path, bit);
    }
    assertThat(checker.check(harness.environment(), path)).isEmpty();
  }

  @Test
  void aReadOfABrokenPageNamesItsOffset() throws IOException {
    try (StorageHarness harness = small()) {
      Path path = writeBase(harness, 400);
      BaseData data = BaseData.open(harness.environment(), path);
      BlockLocation page = data.footer().columns().get(1).location(1);
      harness.files().flipBit(path, 8 * (page.offset() + page.bytes() / 2));
      ColumnSchema column = RowSetFixture.SCHEMA.column(1);
      try (ColumnReader reader = data.openColumn(11);
          ColumnVector cells = new ColumnVector(harness.allocator(), column.type(), false)) {
        reader.read(0, reader.rowCount(0), cells);
        for (int i = 0; i < 2; i++) {
          assertThatThrownBy(() -> reader.read(reader.firstOrdinal(1), 1, cells))
              .isInstanceOf(KuduException.class)
              .hasMessageContaining("/tablet/base")
              .hasMessageContaining("offset " + page.offset())
              .hasMessageContaining("expected")
              .hasMessageContaining("found");
        }
      }
      data.release();
    }
  }

  @Test
  void brokenKeysBloomChunksAndDeltasFailTheReadsThatTouchThem() throws IOException {
    try (StorageHarness harness = small()) {
      Path path = writeBase(harness, 400);
      BaseData data = BaseData.open(harness.environment(), path);
      byte[] key = keys(400).get(7);
      BlockLocation bloom = data.footer().keys().chunkLocation(0);
      harness.files().flipBit(path, 8 * (bloom.offset() + 9));
      assertCorrupt(catchThrowable(() -> data.find(key, 0, key.length)), path, bloom.offset());
      harness.files().flipBit(path, 8 * (bloom.offset() + 9));
      BlockLocation page = data.footer().keys().location(0);
      harness.files().flipBit(path, 8 * (page.offset() + 40));
      assertCorrupt(catchThrowable(() -> data.find(key, 0, key.length)), path, page.offset());
      data.release();

      Path deltas = writeDelta(harness);
      DeltaFile file = DeltaFile.open(harness.environment(), deltas);
      BlockLocation block = file.footer().blocks().get(0).location();
      harness.files().flipBit(deltas, 8 * (block.offset() + block.bytes() - 1));
      try (DeltaFile.Cursor cursor = file.openCursor()) {
        assertCorrupt(catchThrowable(cursor::next), deltas, block.offset());
      }
      file.release();
    }
  }

  private static void assertCorrupt(Throwable thrown, Path path, long offset) {
    assertThat(thrown).isInstanceOf(KuduException.class);
    assertThat(((KuduException) thrown).code()).isEqualTo(StatusCode.CORRUPTION);
    assertThat(thrown)
        .hasMessageContaining(path.toString())
        .hasMessageContaining("offset " + offset);
  }

  @Test
  void aTruncatedFileIsRefusedAtAnyLength() throws IOException {
    try (StorageHarness harness = small()) {
      byte[] whole = harness.files().readAll(writeBase(harness, 100));
      Path cut = harness.path("cut");
      for (int length = 0; length < whole.length; length += 1 + whole.length / 300) {
        harness.files().put(cut, Arrays.copyOf(whole, length));
        Throwable thrown = catchThrowable(() -> BaseData.open(harness.environment(), cut));
        assertThat(thrown).as("cut at %d", length).isInstanceOf(KuduException.class);
        assertThat(((KuduException) thrown).code()).isEqualTo(StatusCode.CORRUPTION);
        assertThat(thrown).hasMessageContaining("/tablet/cut").hasMessageContaining("offset");
      }
      harness.files().put(cut, Arrays.copyOf(whole, whole.length + 1));
      assertThatThrownBy(() -> BaseData.open(harness.environment(), cut))
          .isInstanceOf(KuduException.class);
    }
  }

  @Test
  void anotherVersionIsNotReportedAsCorruption() throws IOException {
    try (StorageHarness harness = small()) {
      byte[] bytes = harness.files().readAll(writeBase(harness, 10));
      Path path = harness.path("other");
      harness.files().put(path, withVersion(bytes, FileKind.BASE_DATA.currentVersion() + 1));
      assertNotSupported(harness, path, "too new");
      harness.files().put(path, withVersion(bytes, FileKind.BASE_DATA.oldestVersion() - 1));
      assertNotSupported(harness, path, "too old");
      byte[] broken = bytes.clone();
      broken[10]++;
      harness.files().put(path, broken);
      assertThatThrownBy(() -> BaseData.open(harness.environment(), path))
          .hasMessageContaining("header checksum");
    }
  }

  private static void assertNotSupported(StorageHarness harness, Path path, String advice) {
    Throwable thrown = catchThrowable(() -> BaseData.open(harness.environment(), path));
    assertThat(thrown).isInstanceOf(KuduException.class).hasMessageContaining(advice);
    assertThat(((KuduException) thrown).code()).isEqualTo(StatusCode.NOT_SUPPORTED);
  }

  private static byte[] withVersion(byte[] file, int version) {
    ByteBuffer changed = ByteBuffer.wrap(file.clone()).order(ByteOrder.LITTLE_ENDIAN);
    changed.putShort(10, (short) version);
    CRC32C crc = new CRC32C();
    crc.update(changed.array(), 0, 12);
    return changed.putInt(12, (int) crc.getValue()).array();
  }

  @Test
  void aDeltaFileIsRejectedAsBaseData() throws IOException {
    try (StorageHarness harness = small()) {
      Path path = writeDelta(harness);
      assertThatThrownBy(() -> BaseData.open(harness.environment(), path))
          .hasMessageContaining("expected a base data file, found kind delta");
    }
  }

  @Test
  void dumpsShowWhatIsInTheFiles() throws IOException {
    try (StorageHarness harness = small()) {
      StringBuilder text = new StringBuilder();
      BaseDataDump.print(harness.environment(), writeBase(harness, 100), 3, text);
      assertThat(text.toString())
          .contains(
              "/tablet/base: base data, format version " + FileKind.BASE_DATA.currentVersion())
          .contains("rows 100, columns 3")
          .contains("column id 11: value INT64 NOT NULL")
          .contains("row 1: key 0x0001, inserted 1037, key 0x0001, value -999, note \"note 1\"")
          .contains("note NULL");
      text.setLength(0);
      ColumnFileDump.print(harness.environment(), writeColumns(harness, 100), 2, text);
      assertThat(text.toString())
          .contains("/tablet/columns: columns, format version", "rows 100, columns 2")
          .contains("row 1: value -999, note \"note 1\"")
          .doesNotContain("row 2:");
      text.setLength(0);
      DeltaFileDump.print(harness.environment(), writeDelta(harness), 5, text);
      assertThat(text.toString()).contains("delta (REDO)").contains("block 0").contains("ordinal ");
    }
  }

  private static StorageHarness small() {
    return new StorageHarness(StorageHarness.pages(256));
  }

  private static Path writeBase(StorageHarness harness, int rows) throws IOException {
    Path path = harness.path("base");
    RowSetFixture.write(harness, path, keys(rows), 64);
    return path;
  }

  private static List<byte[]> keys(int rows) {
    List<byte[]> keys = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      keys.add(new byte[] {(byte) (i >>> 8), (byte) i});
    }
    return keys;
  }

  private static Path writeColumns(StorageHarness harness, int rows) throws IOException {
    Path path = harness.path("columns");
    RowSetFixture.writeColumns(harness, path, rows);
    return path;
  }

  private static Path writeDelta(StorageHarness harness) throws IOException {
    Path path = harness.path("delta");
    DeltaFileTest.write(harness, path, DeltaFileWriter.Kind.REDO, 40, 3);
    return path;
  }
}

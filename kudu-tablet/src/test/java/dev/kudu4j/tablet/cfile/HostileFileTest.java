package dev.kudu4j.tablet.cfile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.Compression;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Encoding;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.tablet.batch.ColumnBatch;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.cfile.ColumnCells.Nulls;
import dev.kudu4j.tablet.cfile.ColumnCells.Shape;
import dev.kudu4j.tablet.check.BaseDataChecker;
import dev.kudu4j.tablet.check.BaseDataDump;
import dev.kudu4j.tablet.env.StorageHarness;
import dev.kudu4j.tablet.file.BlockLocation;
import dev.kudu4j.tablet.rowset.BaseData;
import dev.kudu4j.tablet.rowset.BaseDataFooter;
import dev.kudu4j.tablet.rowset.DiskRowSetWriter;
import dev.kudu4j.tablet.rowset.KeyIndex;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.arrow.memory.ArrowBuf;
import org.junit.jupiter.api.Test;

/**
 * Files with corrupt bytes and valid checksums, as an attacker would write them, with a column for
 * each type, encoding and compression, and a key index. Reading such a file fails with the file and
 * the offset, or returns other cells; it does no harm.
 */
class HostileFileTest {
  private static final int ROWS = 300;
  private static final int CHANGES = 20;

  @Property(tries = 8)
  void changedBlocksAreRejectedOrReadAsOtherCells(@ForAll Shape shape, @ForAll int seed)
      throws IOException {
    Random random = new Random(seed);
    try (StorageHarness harness = new StorageHarness(StorageHarness.pages(512))) {
      Path sound = harness.path("sound");
      Schema schema = schema(random);
      write(harness, sound, schema, shape, random);
      assertThat(BaseDataChecker.check(harness.environment(), sound)).isEmpty();
      byte[] bytes = harness.files().readAll(sound);
      List<BlockLocation> blocks = blocks(harness, sound);
      Path hostile = harness.path("hostile");
      int refused = 0;
      for (int i = 0; i < CHANGES; i++) {
        BlockLocation block = blocks.get(random.nextInt(blocks.size()));
        harness.files().put(hostile, changed(bytes, block, random));
        refused += check(harness, hostile, schema) ? 1 : 0;
      }
      assertThat(refused).isPositive();
    }
  }

  @Test
  void aDumpShowsTheEncodingOfEachPageWithItsDetails() throws IOException {
    Random random = new Random(7);
    StringBuilder text = new StringBuilder();
    for (Shape shape : Shape.values()) {
      try (StorageHarness harness = new StorageHarness(StorageHarness.pages(2048))) {
        Path path = harness.path("sound");
        write(harness, path, schema(random), shape, random);
        BaseDataDump.print(harness.environment(), path, 0, text);
      }
    }
    assertThat(text)
        .contains("before compression), plain, ordinals")
        .containsPattern("run length \\(\\d+ runs\\), ordinals")
        .containsPattern("dictionary \\(\\d+ entries, codes of \\d+ bits\\)")
        .containsPattern("frame of reference \\(\\d+ bits above -?\\d+\\)")
        .contains("bit shuffle, ordinals")
        .containsPattern("prefix \\(\\d+ bytes of text in \\d+\\)")
        .containsPattern("delta \\(steps of \\d+ bits above -?\\d+\\)")
        .containsPattern("symbol table \\(\\d+ symbols, \\d+ bytes of text in \\d+\\)");
  }

  /** Returns whether the checker found something. */
  private static boolean check(StorageHarness harness, Path path, Schema schema)
      throws IOException {
    List<String> problems = BaseDataChecker.check(harness.environment(), path);
    for (String problem : problems) {
      assertThat(problem).contains(path.toString()).contains("offset");
    }
    BaseData data = BaseData.open(harness.environment(), path);
    try {
      for (ColumnSchema column : schema.columns()) {
        refusedByNameOrDone(path, () -> readAll(harness, data, column));
      }
      for (byte[] key : keys()) {
        refusedByNameOrDone(path, () -> data.find(key, 0, key.length));
      }
      refusedByNameOrDone(
          path, () -> BaseDataDump.print(harness.environment(), path, ROWS, new StringBuilder()));
    } finally {
      data.release();
    }
    return !problems.isEmpty();
  }

  private interface Read {
    void run() throws IOException;
  }

  private static void refusedByNameOrDone(Path path, Read read) throws IOException {
    try {
      read.run();
    } catch (KuduException e) {
      assertThat(e.code()).isEqualTo(StatusCode.CORRUPTION);
      assertThat(e).hasMessageContaining(path.toString()).hasMessageContaining("offset");
    }
  }

  private static void readAll(StorageHarness harness, BaseData data, ColumnSchema column)
      throws IOException {
    try (ColumnReader reader = data.openColumn(column.id());
        ColumnVector cells =
            new ColumnVector(harness.allocator(), column.type(), column.isNullable())) {
      reader.read(0, ROWS, cells);
      assertThat(cells.rowCount()).isEqualTo(ROWS);
      cells.clear();
      reader.read(ROWS / 3, 1, cells);
      reader.read(ROWS / 2, ROWS / 4, cells);
    }
  }

  /** A copy of the file with one to three changed bytes in a block and a valid checksum. */
  private static byte[] changed(byte[] file, BlockLocation block, Random random) {
    ByteBuffer changed = ByteBuffer.wrap(file.clone()).order(ByteOrder.LITTLE_ENDIAN);
    int offset = (int) block.offset();
    int summed = block.bytes() - 4;
    for (int i = random.nextInt(3); i >= 0; i--) {
      // Half of the changes are in the header, which affects reads most.
      int at = random.nextInt(random.nextBoolean() ? Math.min(48, summed) : summed);
      int bits = random.nextBoolean() ? 1 << random.nextInt(8) : 1 + random.nextInt(255);
      changed.put(offset + at, (byte) (changed.get(offset + at) ^ bits));
    }
    CRC32C crc = new CRC32C();
    crc.update(changed.array(), offset, summed);
    changed.putInt(offset + summed, (int) crc.getValue() ^ offset);
    return changed.array();
  }

  private static List<BlockLocation> blocks(StorageHarness harness, Path path) throws IOException {
    List<BlockLocation> blocks = new ArrayList<>();
    BaseData data = BaseData.open(harness.environment(), path);
    BaseDataFooter footer = data.footer();
    for (ColumnIndex column : footer.columns()) {
      for (int page = 0; page < column.pageCount(); page++) {
        blocks.add(column.location(page));
      }
    }
    KeyIndex keys = footer.keys();
    // As many key pages as columns; otherwise key pages would rarely be changed.
    for (int i = 0; i < footer.columns().size(); i++) {
      blocks.add(keys.location(i % keys.pageCount()));
    }
    blocks.add(keys.chunkLocation(0));
    data.release();
    return blocks;
  }

  /**
   * A column for each type and suitable encoding, with random compressions; the first column is the
   * key.
   */
  private static Schema schema(Random random) {
    List<ColumnSchema> columns = new ArrayList<>();
    columns.add(ColumnSchema.builder("key", DataType.BINARY).id(0).key(true).build());
    Compression[] compressions = Compression.values();
    for (DataType type : DataType.values()) {
      for (Encoding encoding : Encoding.values()) {
        if (type != DataType.IS_DELETED && encoding.fits(type)) {
          columns.add(
              builder(type + " " + encoding, type)
                  .id(columns.size())
                  .nullable(random.nextBoolean())
                  .encoding(encoding)
                  .compression(compressions[random.nextInt(compressions.length)])
                  .build());
        }
      }
    }
    return new Schema(columns);
  }

  private static ColumnSchema.Builder builder(String name, DataType type) {
    return type == DataType.NESTED
        ? ColumnSchema.arrayBuilder(name, DataType.INT16)
        : ColumnSchema.builder(name, type);
  }

  /** Keys of two lengths, with common prefixes. */
  private static List<byte[]> keys() {
    List<byte[]> keys = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      byte[] key = new byte[i % 5 == 0 ? 3 : 12];
      key[1] = (byte) (i >>> 8);
      key[2] = (byte) i;
      keys.add(key);
    }
    return keys;
  }

  private static void write(
      StorageHarness harness, Path path, Schema schema, Shape shape, Random random)
      throws IOException {
    List<byte[]> keys = keys();
    try (DiskRowSetWriter writer = new DiskRowSetWriter(harness.environment(), path, schema, ROWS);
        ColumnBatch batch = new ColumnBatch(harness.allocator(), schema);
        ArrowBuf encoded = harness.allocator().buffer(16L * ROWS)) {
      long[] addresses = new long[ROWS];
      int[] lengths = new int[ROWS];
      for (int row = 0; row < ROWS; row++) {
        addresses[row] = encoded.memoryAddress() + 16L * row;
        lengths[row] = keys.get(row).length;
        Memory.copy(keys.get(row), 0, addresses[row], lengths[row]);
      }
      ColumnCells.append(keys, 0, ROWS, batch.column(0));
      for (int i = 1; i < schema.columnCount(); i++) {
        ColumnSchema column = schema.column(i);
        Nulls nulls = column.isNullable() ? Nulls.SOME : Nulls.NONE;
        List<byte[]> cells = ColumnCells.make(column.type(), shape, nulls, ROWS, random);
        ColumnCells.append(cells, 0, ROWS, batch.column(i));
      }
      batch.setRowCount(ROWS);
      writer.append(batch, addresses, lengths, random.longs(ROWS, 1, 1000).toArray());
      writer.finish();
    }
    harness.files().syncDirectory(path.getParent());
  }
}

package dev.kudu4j.tablet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.proto.common.ColumnSchemaPB;
import dev.kudu4j.common.proto.common.CompressionType;
import dev.kudu4j.common.proto.common.EncodingType;
import dev.kudu4j.common.proto.common.SchemaPB;
import dev.kudu4j.common.row.OperationType;
import dev.kudu4j.common.row.RowLayout;
import dev.kudu4j.common.row.RowOperationsWriter;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.wire.SchemaRules;
import dev.kudu4j.common.wire.SchemaWire;
import dev.kudu4j.tablet.cfile.ColumnIndex;
import dev.kudu4j.tablet.cfile.ColumnReader;
import dev.kudu4j.tablet.check.TabletChecker;
import dev.kudu4j.tablet.codec.Codecs;
import dev.kudu4j.tablet.env.StorageHarness;
import dev.kudu4j.tablet.log.LogEntry;
import dev.kudu4j.tablet.log.LogPosition;
import dev.kudu4j.tablet.log.WriteRequest;
import dev.kudu4j.tablet.rowset.BaseData;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Files have the encoding, compression and block size that the user has requested for each column,
 * and rowsets have the requested size. The test uses the numbers of the wire protocol.
 */
class ColumnStorageTest {
  private static final int ROWS = 20_000;
  private static final int ROWS_PER_ENTRY = 1000;

  @Test
  void filesHaveTheRequestedEncodings() throws IOException {
    Map<String, String> found =
        storedAs(
            column("plain", DataType.INT64, EncodingType.PLAIN_ENCODING),
            column("rle", DataType.INT32, EncodingType.RLE),
            column("shuffled", DataType.INT64, EncodingType.BIT_SHUFFLE),
            column("shuffled double", DataType.DOUBLE, EncodingType.BIT_SHUFFLE),
            column("plain text", DataType.STRING, EncodingType.PLAIN_ENCODING),
            column("prefix", DataType.STRING, EncodingType.PREFIX_ENCODING),
            column("dictionary", DataType.STRING, EncodingType.DICT_ENCODING));

    assertThat(found)
        .containsEntry("plain", "plain")
        .containsEntry("rle", "run length")
        .containsEntry("shuffled", "bit shuffle")
        .containsEntry("shuffled double", "bit shuffle")
        .containsEntry("plain text", "plain")
        .containsEntry("prefix", "prefix")
        .containsEntry("dictionary", "dictionary");
  }

  @Test
  void filesHaveTheRequestedCompressions() throws IOException {
    Map<String, String> found =
        storedAs(
            compressed("none", CompressionType.NO_COMPRESSION),
            compressed("snappy", CompressionType.SNAPPY),
            compressed("lz4", CompressionType.LZ4),
            compressed("zlib", CompressionType.ZLIB),
            compressed("zstd", CompressionType.ZSTD),
            compressed("bzip2", CompressionType.BZIP2),
            compressed("default", CompressionType.DEFAULT_COMPRESSION));

    assertThat(found)
        .containsEntry("none", "plain")
        .containsEntry("snappy", "plain, Snappy")
        .containsEntry("lz4", "plain, LZ4")
        .containsEntry("zlib", "plain, zlib")
        .containsEntry("zstd", "plain, zstd")
        .containsEntry("bzip2", "plain, bzip2")
        .containsEntry("default", "plain, LZ4");
  }

  @Test
  void blocksHaveTheRequestedSize() throws IOException {
    try (StorageHarness harness = new StorageHarness()) {
      Schema schema =
          newTable(
              List.of(
                  column("small", DataType.INT64, EncodingType.PLAIN_ENCODING)
                      .setCfileBlockSize(16 << 10),
                  column("large", DataType.INT64, EncodingType.PLAIN_ENCODING)
                      .setCfileBlockSize(64 << 10)));
      write(harness, schema);
      BaseData data = BaseData.open(harness.environment(), base(harness));
      assertThat(data.footer().columns().get(1).rowCount(0)).isEqualTo((16 << 10) / 8);
      assertThat(data.footer().columns().get(2).rowCount(0)).isEqualTo((64 << 10) / 8);
      data.release();
    }
  }

  @Test
  void rowSetsAreRolledAt32MB() throws IOException {
    try (StorageHarness harness = new StorageHarness()) {
      Schema schema = newTable(List.of(column("v", DataType.BINARY, EncodingType.AUTO_ENCODING)));
      TabletDescriptor descriptor = new TabletDescriptor("t", "u", "table", schema, 1, Map.of());
      Random random = new Random(1);
      try (Tablet tablet = Tablet.create(harness.environment(), descriptor)) {
        for (int first = 0; first < 4400; first += 100) {
          RowOperationsWriter writer = new RowOperationsWriter(RowLayout.of(schema));
          for (int key = first; key < first + 100; key++) {
            byte[] cell = new byte[10_000];
            random.nextBytes(cell);
            writer.begin(OperationType.INSERT).setInt(0, key).setCell(1, cell).end();
          }
          apply(tablet, schema, writer, 1 + first / 100);
        }
        tablet.flush();
      }
      List<Integer> sizes = new ArrayList<>();
      for (String name : bases(harness)) {
        sizes.add(harness.files().readAll(harness.path(name)).length);
      }
      assertThat(sizes).hasSize(2);
      assertThat(sizes.get(0)).isBetween(32 << 20, 33 << 20);
      assertThat(sizes.get(1)).isBetween(9_000_000, 12 << 20);
    }
  }

  private static ColumnSchemaPB.Builder column(String name, DataType type, EncodingType encoding) {
    return SchemaWire.toWire(ColumnSchema.builder(name, type).build(), false).toBuilder()
        .setEncoding(encoding)
        .setCompression(CompressionType.NO_COMPRESSION);
  }

  private static ColumnSchemaPB.Builder compressed(String name, CompressionType compression) {
    return column(name, DataType.STRING, EncodingType.PLAIN_ENCODING).setCompression(compression);
  }

  /**
   * The encoding and compression of each column's pages as text; several kinds are separated by a
   * slash.
   */
  private static Map<String, String> storedAs(ColumnSchemaPB.Builder... columns)
      throws IOException {
    try (StorageHarness harness = new StorageHarness()) {
      write(harness, newTable(List.of(columns)));
      return storedAs(harness, base(harness));
    }
  }

  private static Schema newTable(List<ColumnSchemaPB.Builder> columns) {
    SchemaPB.Builder schema = SchemaPB.newBuilder();
    schema.addColumns(column("k", DataType.INT32, EncodingType.AUTO_ENCODING).setIsKey(true));
    columns.forEach(schema::addColumns);
    return SchemaRules.newTable(schema.build());
  }

  private static List<String> bases(StorageHarness harness) throws IOException {
    return harness.files().list(StorageHarness.DIRECTORY).stream()
        .filter(name -> name.endsWith(".base"))
        .sorted()
        .toList();
  }

  private static Path base(StorageHarness harness) throws IOException {
    assertThat(bases(harness)).hasSize(1);
    return harness.path(bases(harness).get(0));
  }

  private static Map<String, String> storedAs(StorageHarness harness, Path path)
      throws IOException {
    Map<String, String> result = new LinkedHashMap<>();
    byte[] bytes = harness.files().readAll(path);
    BaseData data = BaseData.open(harness.environment(), path);
    for (ColumnIndex column : data.footer().columns()) {
      Set<String> ways = new LinkedHashSet<>();
      try (ColumnReader reader = data.openColumn(column.column().id())) {
        for (int page = 0; page < column.pageCount(); page++) {
          int compression = bytes[(int) column.location(page).offset()];
          String codec = compression == 0 ? "" : ", " + Codecs.of(compression);
          ways.add(reader.encodingName(page) + codec);
        }
      }
      result.put(column.column().name(), String.join(" / ", ways));
    }
    data.release();
    return result;
  }

  /**
   * Creates a tablet, writes rows that every encoding and compression can reduce, and flushes them.
   */
  private static void write(StorageHarness harness, Schema schema) throws IOException {
    TabletDescriptor descriptor = new TabletDescriptor("t", "u", "table", schema, 1, Map.of());
    try (Tablet tablet = Tablet.create(harness.environment(), descriptor)) {
      for (int first = 0; first < ROWS; first += ROWS_PER_ENTRY) {
        insert(tablet, schema, first);
      }
      tablet.flush();
    }
    assertThat(TabletChecker.check(harness.environment())).isEmpty();
  }

  private static void insert(Tablet tablet, Schema schema, int first) {
    RowOperationsWriter writer = new RowOperationsWriter(RowLayout.of(schema));
    for (int key = first; key < first + ROWS_PER_ENTRY; key++) {
      writer.begin(OperationType.INSERT);
      for (int i = 0; i < schema.columnCount(); i++) {
        fill(writer, i, schema.column(i), key);
      }
      writer.end();
    }
    apply(tablet, schema, writer, 1 + first / ROWS_PER_ENTRY);
  }

  private static void apply(Tablet tablet, Schema schema, RowOperationsWriter writer, int index) {
    WriteRequest request =
        new WriteRequest(
            null, 1, IntStream.range(0, schema.columnCount()).toArray(), writer.packed());
    byte[] entry = LogEntry.encodeWrite(new ArrayList<>(List.of(request)));
    LogEntry.patchTimestamp(entry, 100 + index);
    tablet.apply(new LogPosition(1, index), LogEntry.decode(entry, 0, entry.length));
  }

  private static void fill(RowOperationsWriter row, int i, ColumnSchema column, int key) {
    switch (column.type()) {
      case INT32 -> row.setInt(i, column.isKey() ? key : key / 100);
      case INT64 -> row.setLong(i, key * 3L);
      case DOUBLE -> row.setDouble(i, key * 0.5);
      default ->
          row.setString(
              i,
              column.name().equals("dictionary") ? "d" + key % 50 : "a name, %07d".formatted(key));
    }
  }
}

package dev.kudu4j.tablet.scan.sink;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kudu4j.common.TestVectors;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.batch.ColumnBatch;
import dev.kudu4j.tablet.memory.Allocators;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Sinks write the same bytes as recorded responses of Apache Kudu. */
class RecordedSinksTest {
  private static final int PAD_TIMES_FLAG = 1;

  private final BufferAllocator allocator = Allocators.root(Long.MAX_VALUE);

  @AfterEach
  void nothingLeaks() {
    assertThat(allocator.getAllocatedMemory()).isZero();
    allocator.close();
  }

  static Stream<JsonNode> rowwise() {
    return TestVectors.group("rowwise");
  }

  static Stream<JsonNode> columnar() {
    return TestVectors.group("columnar");
  }

  static Stream<JsonNode> checksum() {
    return TestVectors.group("checksum");
  }

  @ParameterizedTest
  @MethodSource("rowwise")
  void rowsArePackedAsRecorded(JsonNode entry) {
    boolean padTimes = (entry.get("row_format_flags").asInt() & PAD_TIMES_FLAG) != 0;
    try (ColumnBatch batch = batch(entry);
        RowwiseResult result = RowwiseResult.of(batch, allocator, padTimes)) {
      assertThat(result.rowCount()).isEqualTo(entry.get("num_rows").asInt());
      assertThat(hex(result.rows())).isEqualTo(entry.get("rows_sidecar").asText());
      assertThat(hex(result.indirect())).isEqualTo(textOrNull(entry.get("indirect_sidecar")));
    }
  }

  @ParameterizedTest
  @MethodSource("columnar")
  void columnsAreSharedAsRecorded(JsonNode entry) {
    try (ColumnBatch batch = batch(entry);
        ColumnarResult result = ColumnarResult.of(batch)) {
      batch.clear(); // the result holds its own references
      JsonNode columns = entry.get("data");
      assertThat(result.columnCount()).isEqualTo(columns.size());
      for (int i = 0; i < columns.size(); i++) {
        JsonNode column = columns.get(i);
        assertThat(hex(result.data(i))).isEqualTo(column.get("data").asText());
        assertThat(hex(result.varlen(i))).isEqualTo(textOrNull(column.get("varlen_data")));
        assertThat(hex(result.presence(i))).isEqualTo(textOrNull(column.get("non_null_bitmap")));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("checksum")
  void checksumsAreAsRecorded(JsonNode entry) {
    ChecksumSink sink = new ChecksumSink(5);
    CountSink counts = new CountSink();
    try (ColumnBatch batch = batch(entry)) {
      sink.add(batch);
      counts.add(batch);
    }
    assertThat(Long.toUnsignedString(sink.checksum() - 5))
        .isEqualTo(entry.get("checksum").asText());
    assertThat(sink.rowCount()).isEqualTo(entry.get("rows_checksummed").asLong());
    assertThat(counts.rowCount()).isEqualTo(sink.rowCount());
  }

  @Test
  void noRowsAndNoColumnsMakeEmptyBuffers() {
    try (ColumnBatch batch = new ColumnBatch(allocator, new Schema(java.util.List.of()))) {
      batch.setRowCount(7);
      try (RowwiseResult rows = RowwiseResult.of(batch, allocator, false);
          ColumnarResult columns = ColumnarResult.of(batch)) {
        assertThat(rows.rowCount()).isEqualTo(7);
        assertThat(hex(rows.rows())).isEmpty();
        assertThat(rows.indirect()).isNull();
        assertThat(columns.rowCount()).isEqualTo(7);
      }
    }
  }

  private ColumnBatch batch(JsonNode entry) {
    Schema schema = TestVectors.schema(entry.get("columns"));
    ColumnBatch batch = new ColumnBatch(allocator, schema);
    for (JsonNode row : entry.get("rows")) {
      for (int i = 0; i < schema.columnCount(); i++) {
        byte[] cell = TestVectors.unscaledCell(schema.column(i), row.get(schema.column(i).name()));
        if (cell == null) {
          batch.column(i).appendNull();
        } else {
          batch.column(i).append(cell, 0, cell.length);
        }
      }
    }
    batch.setRowCount(entry.get("rows").size());
    return batch;
  }

  private static String hex(ArrowBuf buffer) {
    if (buffer == null) {
      return null;
    }
    byte[] bytes = new byte[(int) buffer.capacity()];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = buffer.getByte(i);
    }
    return HexFormat.of().formatHex(bytes);
  }

  private static String textOrNull(JsonNode node) {
    return node.isNull() ? null : node.asText();
  }
}

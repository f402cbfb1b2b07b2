package dev.kudu4j.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kudu4j.CellForm;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.scan.CellLayout;
import dev.kudu4j.client.scan.ColumnarDecoder;
import dev.kudu4j.client.scan.RowwiseDecoder;
import dev.kudu4j.common.TestVectors;
import dev.kudu4j.common.proto.common.ColumnarRowBlockPB;
import dev.kudu4j.common.proto.common.RowwiseRowBlockPB;
import dev.kudu4j.common.proto.tserver.ScanResponsePB;
import dev.kudu4j.common.status.KuduException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Rows decoded from recorded responses of Apache Kudu's servers. */
class RowResultTest {
  static Stream<JsonNode> rowwise() {
    return TestVectors.group("rowwise")
        .filter(vector -> vector.get("row_format_flags").asInt() == 0);
  }

  static Stream<JsonNode> columnar() {
    return TestVectors.group("columnar");
  }

  @ParameterizedTest
  @MethodSource("rowwise")
  void rowwiseCellsEqualTheRecordedCells(JsonNode vector) {
    checkRows(vector, rowwiseRows(vector, false));
    checkRows(vector, rowwiseRows(vector, true));
  }

  @ParameterizedTest
  @MethodSource("columnar")
  void columnarCellsEqualTheRecordedCells(JsonNode vector) {
    checkRows(vector, columnarRows(vector, false));
    checkRows(vector, columnarRows(vector, true));
  }

  private static RowResultIterator rowwiseRows(JsonNode vector, boolean reuse) {
    Schema schema = Schema.of(TestVectors.schema(vector.get("columns")));
    CellLayout layout = new CellLayout(schema.toCommon());
    RowwiseRowBlockPB.Builder block =
        RowwiseRowBlockPB.newBuilder().setNumRows(vector.get("num_rows").asInt()).setRowsSidecar(0);
    List<ByteBuf> sidecars = new ArrayList<>();
    sidecars.add(sidecar(vector.get("rows_sidecar")));
    if (!vector.get("indirect_sidecar").isNull()) {
      block.setIndirectDataSidecar(1);
      sidecars.add(sidecar(vector.get("indirect_sidecar")));
    }
    return RowResultIterator.of(
        new RowwiseDecoder(layout)
            .decode(ScanResponsePB.newBuilder().setData(block).build(), sidecars),
        schema,
        layout,
        reuse,
        7,
        "server");
  }

  private static RowResultIterator columnarRows(JsonNode vector, boolean reuse) {
    Schema schema = Schema.of(TestVectors.schema(vector.get("columns")));
    CellLayout layout = new CellLayout(schema.toCommon());
    List<ByteBuf> sidecars = new ArrayList<>();
    ScanResponsePB answer = columnarAnswer(vector, sidecars);
    return RowResultIterator.of(
        new ColumnarDecoder(layout).decode(answer, sidecars), schema, layout, reuse, 7, "server");
  }

  static ScanResponsePB columnarAnswer(JsonNode vector, List<ByteBuf> sidecars) {
    ColumnarRowBlockPB.Builder block =
        ColumnarRowBlockPB.newBuilder().setNumRows(vector.get("num_rows").asInt());
    for (JsonNode column : vector.get("data")) {
      ColumnarRowBlockPB.Column.Builder names = block.addColumnsBuilder();
      names.setDataSidecar(add(column.get("data"), sidecars));
      if (!column.get("varlen_data").isNull()) {
        names.setVarlenDataSidecar(add(column.get("varlen_data"), sidecars));
      }
      if (!column.get("non_null_bitmap").isNull()) {
        names.setNonNullBitmapSidecar(add(column.get("non_null_bitmap"), sidecars));
      }
    }
    return ScanResponsePB.newBuilder().setColumnarData(block).build();
  }

  private static int add(JsonNode hex, List<ByteBuf> sidecars) {
    sidecars.add(sidecar(hex));
    return sidecars.size() - 1;
  }

  /** Direct memory at an odd address, as slices of a response have it. */
  private static ByteBuf sidecar(JsonNode hex) {
    byte[] bytes = TestVectors.hex(hex);
    return Unpooled.directBuffer(bytes.length + 1).writeByte(0).writeBytes(bytes).skipBytes(1);
  }

  private static void checkRows(JsonNode vector, RowResultIterator rows) {
    assertThat(rows.getNumRows()).isEqualTo(vector.get("num_rows").asInt());
    Schema schema = Schema.of(TestVectors.schema(vector.get("columns")));
    for (JsonNode expected : vector.get("rows")) {
      RowResult row = rows.next();
      for (int i = 0; i < schema.getColumnCount(); i++) {
        var column = schema.getColumnByIndex(i);
        JsonNode value = expected.get(column.getName());
        assertThat(row.isNull(i)).isEqualTo(value.isNull());
        Object wanted = null;
        if (!value.isNull()) {
          byte[] cell = TestVectors.unscaledCell(column.toCommon(), value);
          wanted = CellForm.value(column, cell, 0, cell.length);
        }
        assertThat(row.getObject(i)).as(column.getName()).isEqualTo(wanted);
        assertThat(row.getObject(column.getName())).isEqualTo(wanted);
        if (column.getType() == Type.BINARY && wanted != null) {
          assertThat(row.getBinary(i)).isEqualTo(ByteBuffer.wrap((byte[]) wanted));
        }
      }
    }
    assertThat(rows.hasNext()).isFalse();
    assertThatThrownBy(rows::next).isInstanceOf(NoSuchElementException.class);
    assertThat(rows.getTsUUID()).isEqualTo("server");
    assertThat(rows.getElapsedMillis()).isEqualTo(7);
  }

  @Test
  void reusedRowsAreOneObjectAndOtherRowsDoNotChange() {
    JsonNode vector = rowwise().findFirst().orElseThrow();
    RowResultIterator reusing = rowwiseRows(vector, true);
    assertThat(reusing.next()).isSameAs(reusing.next());
    RowResultIterator fresh = rowwiseRows(vector, false);
    RowResult first = fresh.next();
    fresh.next();
    assertThat(first.getInt(0)).isEqualTo(-1);
  }

  @Test
  void invalidRequestsHaveTheErrorsOfTheOriginalClient() {
    RowResultIterator rows = rowwiseRows(rowwise().findFirst().orElseThrow(), false);
    RowResult row = rows.next();
    assertThatThrownBy(() -> row.getLong(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Column (name: k, index: 0) is of type int32 but was requested as a type"
                + " [Type: int64, Type: unixtime_micros]");
    assertThatThrownBy(() -> row.getInt(99))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessage("Requested column is out of range, 99 out of 14");
    assertThatThrownBy(() -> row.getInt("nope")).isInstanceOf(IllegalArgumentException.class);
    RowResult nulls = rows.next();
    assertThatThrownBy(() -> nulls.getByte(1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("The requested column (name: i8, index: 1) is null");
  }

  @Test
  void rowsHaveATextForm() {
    RowResult row = rowwiseRows(rowwise().findFirst().orElseThrow(), false).next();
    assertThat(row.rowToString())
        .startsWith("INT32 k=-1, INT8 i8=-5, INT16 i16=300, STRING s=ab, BOOL b=true,")
        .contains("BINARY bin=\"\\x00\\xFF\", DECIMAL(5, 2) d32=-123.45");
  }

  @Test
  void rowsThatDoNotFillTheirSidecarAreCorrupt() {
    CellLayout layout =
        new CellLayout(TestVectors.schema(rowwise().findFirst().orElseThrow().get("columns")));
    ScanResponsePB answer =
        ScanResponsePB.newBuilder()
            .setData(RowwiseRowBlockPB.newBuilder().setNumRows(2).setRowsSidecar(0))
            .build();
    RowwiseDecoder decoder = new RowwiseDecoder(layout);
    assertThatThrownBy(() -> decoder.decode(answer, List.of(Unpooled.wrappedBuffer(new byte[9]))))
        .isInstanceOf(KuduException.class);
    assertThatThrownBy(() -> decoder.decode(answer, List.of())).isInstanceOf(KuduException.class);
  }
}

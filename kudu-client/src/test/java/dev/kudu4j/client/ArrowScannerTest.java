package dev.kudu4j.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kudu4j.client.arrow.ArrowDecoder;
import dev.kudu4j.client.arrow.ArrowFields;
import dev.kudu4j.client.scan.CellLayout;
import dev.kudu4j.common.TestVectors;
import dev.kudu4j.common.proto.common.ColumnarRowBlockPB;
import dev.kudu4j.common.proto.tserver.ScanResponsePB;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.common.schema.Schema;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorLoader;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ArrowScannerTest {
  static Stream<JsonNode> columnar() {
    return TestVectors.group("columnar");
  }

  @ParameterizedTest
  @MethodSource("columnar")
  void vectorsHoldWhatTheServerSent(JsonNode vector) {
    Schema schema = TestVectors.schema(vector.get("columns"));
    List<ByteBuf> sidecars = new ArrayList<>();
    ScanResponsePB answer = RowResultTest.columnarAnswer(vector, sidecars);
    try (BufferAllocator allocator = new RootAllocator()) {
      ArrowRecordBatch batch =
          new ArrowDecoder(new CellLayout(schema), ArrowFields.Form.ARROW, allocator)
              .decode(answer, sidecars);
      sidecars.forEach(ByteBuf::release); // as when the response is closed
      try (VectorSchemaRoot root = load(schema, batch, allocator)) {
        assertThat(root.getRowCount()).isEqualTo(vector.get("num_rows").asInt());
        for (ColumnSchema column : schema.columns()) {
          check(column, root.getVector(column.name()), vector.get("rows"));
        }
      }
    }
    assertThat(sidecars).allMatch(sidecar -> sidecar.refCnt() == 0);
  }

  private static VectorSchemaRoot load(
      Schema schema, ArrowRecordBatch batch, BufferAllocator allocator) {
    VectorSchemaRoot root =
        VectorSchemaRoot.create(ArrowFields.schema(schema, ArrowFields.Form.ARROW), allocator);
    try (batch) {
      new VectorLoader(root).load(batch);
    }
    return root;
  }

  private static void check(ColumnSchema column, FieldVector vector, JsonNode rows) {
    for (int i = 0; i < rows.size(); i++) {
      JsonNode value = rows.get(i).get(column.name());
      Object actual = vector.getObject(i);
      if (value.isNull()) {
        assertThat(actual).as(column.name()).isNull();
        continue;
      }
      byte[] cell = TestVectors.unscaledCell(column, value);
      switch (column.type()) {
        case STRING, VARCHAR ->
            assertThat(actual).hasToString(new String(cell, StandardCharsets.UTF_8));
        case BINARY -> assertThat(actual).isEqualTo(cell);
        case BOOL -> assertThat(actual).isEqualTo(cell[0] != 0);
        case INT8 -> assertThat(actual).isEqualTo(cell[0]);
        case INT16 -> assertThat(actual).isEqualTo(LittleEndian.getShort(cell, 0));
        case INT32, DATE -> assertThat(actual).isEqualTo(LittleEndian.getInt(cell, 0));
        case INT64, UNIXTIME_MICROS -> assertThat(actual).isEqualTo(LittleEndian.getLong(cell, 0));
        case FLOAT ->
            assertThat(actual).isEqualTo(Float.intBitsToFloat(LittleEndian.getInt(cell, 0)));
        case DOUBLE ->
            assertThat(actual).isEqualTo(Double.longBitsToDouble(LittleEndian.getLong(cell, 0)));
        default ->
            assertThat(actual)
                .isEqualTo(dev.kudu4j.CellForm.decimal(cell, 0, cell.length, column.scale()));
      }
    }
  }

  /** Any number of rows, so that bits end everywhere in a byte and a word. */
  @Property(tries = 200)
  void bitsAndDecimalsAreMadeForAnyNumberOfRows(
      @ForAll @IntRange(min = 1, max = 300) int rows, @ForAll long seed) {
    Random random = new Random(seed);
    Schema schema =
        new Schema(
            List.of(
                ColumnSchema.builder("b", DataType.BOOL).nullable(true).build(),
                ColumnSchema.builder("d", DataType.DECIMAL64).decimal(18, 3).build()));
    boolean[] bools = new boolean[rows];
    boolean[] present = new boolean[rows];
    long[] decimals = new long[rows];
    byte[] boolCells = new byte[rows];
    byte[] decimalCells = new byte[8 * rows];
    byte[] presence = new byte[(rows + 7) / 8];
    for (int i = 0; i < rows; i++) {
      present[i] = random.nextInt(4) != 0;
      bools[i] = random.nextBoolean();
      decimals[i] = random.nextLong() % 1_000_000_000_000_000_000L;
      boolCells[i] = (byte) (bools[i] ? 1 : 0);
      LittleEndian.putLong(decimalCells, 8 * i, decimals[i]);
      presence[i >> 3] |= (byte) ((present[i] ? 1 : 0) << (i & 7));
    }
    ScanResponsePB answer =
        ScanResponsePB.newBuilder()
            .setColumnarData(
                ColumnarRowBlockPB.newBuilder()
                    .setNumRows(rows)
                    .addColumns(
                        ColumnarRowBlockPB.Column.newBuilder()
                            .setDataSidecar(0)
                            .setNonNullBitmapSidecar(1))
                    .addColumns(ColumnarRowBlockPB.Column.newBuilder().setDataSidecar(2)))
            .build();
    List<ByteBuf> sidecars =
        List.of(
            Unpooled.wrappedBuffer(boolCells), // no address: copied
            Unpooled.wrappedBuffer(presence),
            Unpooled.wrappedBuffer(decimalCells));
    try (BufferAllocator allocator = new RootAllocator();
        VectorSchemaRoot root =
            load(
                schema,
                new ArrowDecoder(new CellLayout(schema), ArrowFields.Form.ARROW, allocator)
                    .decode(answer, sidecars),
                allocator)) {
      BitVector bits = (BitVector) root.getVector("b");
      DecimalVector wide = (DecimalVector) root.getVector("d");
      for (int i = 0; i < rows; i++) {
        assertThat(bits.isNull(i)).isEqualTo(!present[i]);
        if (present[i]) {
          assertThat(bits.get(i) != 0).isEqualTo(bools[i]);
        }
        assertThat(wide.getObject(i)).isEqualTo(BigDecimal.valueOf(decimals[i], 3));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("columnar")
  void anAllocatorThatIsFullLeaksNothing(JsonNode vector) {
    Schema schema = TestVectors.schema(vector.get("columns"));
    List<ByteBuf> sidecars = new ArrayList<>();
    ScanResponsePB answer = RowResultTest.columnarAnswer(vector, sidecars);
    try (BufferAllocator allocator = new RootAllocator(30)) {
      ArrowDecoder decoder =
          new ArrowDecoder(new CellLayout(schema), ArrowFields.Form.ARROW, allocator);
      assertThatThrownBy(() -> decoder.decode(answer, sidecars))
          .isInstanceOf(OutOfMemoryException.class);
    }
    assertThat(sidecars).allMatch(sidecar -> sidecar.refCnt() == 1);
  }
}

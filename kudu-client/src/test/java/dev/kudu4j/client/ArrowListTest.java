package dev.kudu4j.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.client.arrow.ArrowDecoder;
import dev.kudu4j.client.arrow.ArrowFields;
import dev.kudu4j.client.scan.CellLayout;
import dev.kudu4j.common.array.SampleArray;
import dev.kudu4j.common.proto.common.ColumnarRowBlockPB;
import dev.kudu4j.common.proto.tserver.ScanResponsePB;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorLoader;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.junit.jupiter.api.Test;

/** Arrays of the wire as Arrow lists. */
class ArrowListTest {
  private static final List<DataType> TYPES =
      SampleArray.ELEMENT_TYPES.stream().filter(type -> !type.isUnsigned()).toList();

  @Property(tries = 200)
  void listsHaveTheElementsOfTheArrays(@ForAll Random random) {
    for (DataType type : TYPES) {
      for (ArrowFields.Form form : ArrowFields.Form.values()) {
        check(type, form, random);
      }
    }
  }

  private static void check(DataType type, ArrowFields.Form form, Random random) {
    List<SampleArray> rows = new ArrayList<>();
    for (int i = 1 + random.nextInt(40); i > 0; i--) {
      rows.add(random.nextInt(4) == 0 ? null : SampleArray.of(type, random));
    }
    Schema schema = schema(type);
    try (BufferAllocator allocator = new RootAllocator();
        VectorSchemaRoot root =
            VectorSchemaRoot.create(ArrowFields.schema(schema, form), allocator)) {
      List<ByteBuf> sidecars = new ArrayList<>();
      ScanResponsePB answer =
          answer(rows.stream().map(row -> row == null ? null : row.write()).toList(), sidecars);
      try (ArrowRecordBatch batch =
          new ArrowDecoder(new CellLayout(schema), form, allocator).decode(answer, sidecars)) {
        new VectorLoader(root).load(batch);
      }
      ListVector lists = (ListVector) root.getVector("a");
      for (int i = 0; i < rows.size(); i++) {
        assertThat(lists.isNull(i)).isEqualTo(rows.get(i) == null);
        if (rows.get(i) != null) {
          assertElements(lists, i, rows.get(i).elements(), type, form);
        }
      }
    }
  }

  private static void assertElements(
      ListVector lists, int row, List<byte[]> expected, DataType type, ArrowFields.Form form) {
    int start = lists.getElementStartIndex(row);
    FieldVector elements = lists.getDataVector();
    assertThat(lists.getElementEndIndex(row) - start).isEqualTo(expected.size());
    for (int i = 0; i < expected.size(); i++) {
      byte[] cell = expected.get(i);
      assertThat(elements.isNull(start + i)).isEqualTo(cell == null);
      if (cell != null && elements instanceof VarCharVector texts) {
        assertThat(texts.get(start + i)).isEqualTo(cell); // not always valid UTF-8
      } else if (cell != null) {
        assertThat(text(elements.getObject(start + i))).isEqualTo(text(value(type, cell, form)));
      }
    }
  }

  private static Object value(DataType type, byte[] cell, ArrowFields.Form form) {
    boolean asReceived = form == ArrowFields.Form.AS_RECEIVED;
    return switch (type) {
      case BOOL -> asReceived ? cell[0] : (Object) (cell[0] != 0);
      case INT8 -> cell[0];
      case INT16 -> LittleEndian.getShort(cell, 0);
      case INT32, DATE -> LittleEndian.getInt(cell, 0);
      case INT64, UNIXTIME_MICROS -> LittleEndian.getLong(cell, 0);
      case DECIMAL32 -> asReceived ? LittleEndian.getInt(cell, 0) : decimal(cell);
      case DECIMAL64 -> asReceived ? LittleEndian.getLong(cell, 0) : decimal(cell);
      case FLOAT -> Float.intBitsToFloat(LittleEndian.getInt(cell, 0));
      case DOUBLE -> Double.longBitsToDouble(LittleEndian.getLong(cell, 0));
      default -> cell;
    };
  }

  private static Object decimal(byte[] cell) {
    return dev.kudu4j.CellForm.decimal(cell, 0, cell.length, 2);
  }

  private static String text(Object value) {
    return value instanceof byte[] bytes ? Arrays.toString(bytes) : value.toString();
  }

  @Test
  void malformedArraysLeakNothing() {
    Schema schema = schema(DataType.INT32);
    List<ByteBuf> sidecars = new ArrayList<>();
    ScanResponsePB answer = answer(List.of(new byte[7]), sidecars);
    try (BufferAllocator allocator = new RootAllocator()) {
      ArrowDecoder decoder =
          new ArrowDecoder(new CellLayout(schema), ArrowFields.Form.ARROW, allocator);
      assertThatThrownBy(() -> decoder.decode(answer, sidecars))
          .isInstanceOf(KuduException.class)
          .hasMessageStartingWith("corrupted array cell data: ");
    }
  }

  private static Schema schema(DataType type) {
    return new Schema(
        List.of(
            ColumnSchema.arrayBuilder("a", type).decimal(9, 2).length(9).nullable(true).build()));
  }

  private static ScanResponsePB answer(List<byte[]> cells, List<ByteBuf> sidecars) {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    byte[] offsets = new byte[4 * (cells.size() + 1)];
    byte[] presence = new byte[(cells.size() + 7) / 8];
    for (int i = 0; i < cells.size(); i++) {
      if (cells.get(i) != null) {
        text.writeBytes(cells.get(i));
        presence[i >> 3] |= (byte) (1 << (i & 7));
      }
      LittleEndian.putInt(offsets, 4 * (i + 1), text.size());
    }
    sidecars.add(Unpooled.wrappedBuffer(offsets));
    sidecars.add(Unpooled.wrappedBuffer(text.toByteArray()));
    sidecars.add(Unpooled.wrappedBuffer(presence));
    return ScanResponsePB.newBuilder()
        .setColumnarData(
            ColumnarRowBlockPB.newBuilder()
                .setNumRows(cells.size())
                .addColumns(
                    ColumnarRowBlockPB.Column.newBuilder()
                        .setDataSidecar(0)
                        .setVarlenDataSidecar(1)
                        .setNonNullBitmapSidecar(2)))
        .build();
  }
}

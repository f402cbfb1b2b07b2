package dev.kudu4j.common.array;

import com.google.flatbuffers.FlatBufferBuilder;
import com.google.flatbuffers.Table;
import dev.kudu4j.common.schema.DataType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** Writes and reads array cells with Google's library, the judge of our own. */
final class FlatBuffersCell {
  private FlatBuffersCell() {}

  static byte[] write(SampleArray array) {
    FlatBufferBuilder out = new FlatBufferBuilder(16);
    int vector = vector(array, out);
    int validity = 0;
    if (array.hasNulls()) {
      byte[] bits = new byte[(array.elements().size() + 7) / 8];
      for (int i = 0; i < array.elements().size(); i++) {
        bits[i / 8] |= (byte) (array.elements().get(i) == null ? 0 : 1 << i % 8);
      }
      validity = out.createByteVector(bits);
    }
    int elements = valuesTable(out, vector);
    out.startTable(3);
    out.addByte(0, (byte) kind(array.type()), 0);
    out.addOffset(1, elements, 0);
    out.addOffset(2, validity, 0);
    out.finish(out.endTable());
    return out.sizedByteArray();
  }

  private static int vector(SampleArray array, FlatBufferBuilder out) {
    List<byte[]> elements = array.elements();
    if (array.type().isVariableLength()) {
      int[] offsets = new int[elements.size()];
      for (int i = 0; i < offsets.length; i++) {
        byte[] text = elements.get(i) == null ? new byte[0] : elements.get(i);
        offsets[i] =
            array.type() == DataType.BINARY
                ? valuesTable(out, out.createByteVector(text))
                : out.createString(ByteBuffer.wrap(text));
      }
      return out.createVectorOfTables(offsets);
    }
    int width = array.type().width();
    out.startVector(width, elements.size(), width);
    for (int i = elements.size() - 1; i >= 0; i--) {
      switch (width) {
        case 1 -> out.addByte((byte) array.number(i));
        case 2 -> out.addShort((short) array.number(i));
        case 4 -> out.addInt((int) array.number(i));
        default -> out.addLong(array.number(i));
      }
    }
    return out.endVector();
  }

  private static int valuesTable(FlatBufferBuilder out, int vector) {
    out.startTable(1);
    out.addOffset(0, vector, 0);
    return out.endTable();
  }

  /** The numbers of the kinds in Apache Kudu's description of the format. */
  private static int kind(DataType type) {
    return switch (type) {
      case INT8 -> 1;
      case BOOL, UINT8 -> 2;
      case INT16 -> 3;
      case UINT16 -> 4;
      case INT32, DATE, DECIMAL32 -> 5;
      case UINT32 -> 6;
      case INT64, DECIMAL64, UNIXTIME_MICROS -> 7;
      case UINT64 -> 8;
      case FLOAT -> 9;
      case DOUBLE -> 10;
      case STRING, VARCHAR -> 11;
      case BINARY -> 12;
      default -> throw new IllegalArgumentException(type.name());
    };
  }

  static List<byte[]> read(DataType type, byte[] cell) {
    ByteBuffer bytes = ByteBuffer.wrap(cell).order(ByteOrder.LITTLE_ENDIAN);
    Reader content = new Reader(bytes.getInt(0), bytes);
    if (bytes.get(content.field(0)) != kind(type)) {
      throw new IllegalArgumentException("kind " + bytes.get(content.field(0)));
    }
    Reader elements = new Reader(content.target(1), bytes);
    int vector = elements.target(0);
    List<byte[]> result = new ArrayList<>();
    for (int i = 0; i < bytes.getInt(vector); i++) {
      boolean valid =
          !content.has(2) || (bytes.get(content.target(2) + 4 + i / 8) >> (i % 8) & 1) != 0;
      result.add(valid ? element(type, vector + 4, i, bytes) : null);
    }
    return result;
  }

  private static byte[] element(DataType type, int values, int index, ByteBuffer bytes) {
    if (!type.isVariableLength()) {
      int at = values + index * type.width();
      if (at % type.width() != 0) {
        throw new IllegalStateException("unaligned element at " + at);
      }
      return copy(bytes, at, type.width());
    }
    int at = values + 4 * index + bytes.getInt(values + 4 * index);
    int vector = type == DataType.BINARY ? new Reader(at, bytes).target(0) : at;
    return copy(bytes, vector + 4, bytes.getInt(vector));
  }

  private static byte[] copy(ByteBuffer bytes, int from, int length) {
    byte[] copy = new byte[length];
    bytes.get(from, copy);
    return copy;
  }

  private static final class Reader extends Table {
    Reader(int at, ByteBuffer bytes) {
      __reset(at, bytes);
    }

    boolean has(int field) {
      return __offset(4 + 2 * field) != 0;
    }

    int field(int number) {
      return bb_pos + __offset(4 + 2 * number);
    }

    int target(int field) {
      return __indirect(field(field));
    }
  }
}

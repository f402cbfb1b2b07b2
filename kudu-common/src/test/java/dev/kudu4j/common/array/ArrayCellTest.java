package dev.kudu4j.common.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.flatbuffers.FlatBufferBuilder;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class ArrayCellTest {
  @Property(tries = 300)
  void writtenArraysAreReadBack(@ForAll Random random) {
    for (DataType type : SampleArray.ELEMENT_TYPES) {
      SampleArray array = SampleArray.of(type, random);
      byte[] cell = array.write();
      byte[] framed = new byte[cell.length + 7];
      random.nextBytes(framed);
      System.arraycopy(cell, 0, framed, 3, cell.length);
      assertElements(read(type, framed, 3, cell.length), array);
    }
  }

  @Property(tries = 300)
  void theFlatBuffersLibraryReadsWrittenArrays(@ForAll Random random) {
    for (DataType type : SampleArray.ELEMENT_TYPES) {
      SampleArray array = SampleArray.of(type, random);
      assertElements(FlatBuffersCell.read(type, array.write()), array);
    }
  }

  @Property(tries = 300)
  void arraysOfTheFlatBuffersLibraryAreRead(@ForAll Random random) {
    for (DataType type : SampleArray.ELEMENT_TYPES) {
      SampleArray array = SampleArray.of(type, random);
      byte[] cell = FlatBuffersCell.write(array);
      assertElements(read(type, cell, 0, cell.length), array);
    }
  }

  @Property(tries = 2000)
  void damagedCellsAreCorruptOrReadable(@ForAll Random random) {
    for (DataType type : SampleArray.ELEMENT_TYPES) {
      SampleArray array = SampleArray.of(type, random);
      byte[] cell = random.nextBoolean() ? array.write() : FlatBuffersCell.write(array);
      for (int i = random.nextInt(4); i >= 0; i--) {
        cell[random.nextInt(Math.min(cell.length, 80))] = (byte) (random.nextInt(64) - 8);
      }
      int length = random.nextInt(4) == 0 ? random.nextInt(cell.length) : cell.length;
      try {
        read(type, Arrays.copyOf(cell, length), 0, length);
      } catch (KuduException e) {
        assertThat(e.code()).isEqualTo(StatusCode.CORRUPTION);
        assertThat(e).hasMessageStartingWith("corrupted array cell data: ");
      }
    }
  }

  @Property(tries = 1000)
  void arbitraryBytesAreCorruptOrReadable(@ForAll byte[] bytes) {
    for (DataType type : SampleArray.ELEMENT_TYPES) {
      try {
        read(type, bytes, 0, bytes.length);
      } catch (KuduException e) {
        assertThat(e.code()).isEqualTo(StatusCode.CORRUPTION);
      }
    }
  }

  @Test
  void everyPrefixOfACellIsCorrupt() {
    SampleArray array = new SampleArray(DataType.STRING, Arrays.asList(utf8("one"), null));
    byte[] cell = array.write();
    for (int length = 1; length < cell.length; length++) {
      int end = length;
      assertThatThrownBy(() -> read(DataType.STRING, cell, 0, end))
          .isInstanceOf(KuduException.class)
          .hasMessageContaining("in a cell of " + end + " bytes");
    }
  }

  @Test
  void anEmptyCellIsAnEmptyArray() {
    assertThat(read(DataType.INT32, new byte[0], 0, 0)).isEmpty();
  }

  @Test
  void aContentTableWithoutFieldsIsAnEmptyArray() {
    FlatBufferBuilder out = new FlatBufferBuilder();
    out.startTable(3);
    out.finish(out.endTable());
    byte[] cell = out.sizedByteArray();
    assertThat(read(DataType.INT32, cell, 0, cell.length)).isEmpty();
  }

  @Test
  void emptyValidityBitsMeanThatAllElementsAreValid() {
    byte[] written =
        ArrayCellWriter.write(DataType.INT32, new int[] {7, 8}, new boolean[] {true, false});
    int validity = LittleEndian.getInt(written, 24) + 24;
    LittleEndian.putInt(written, validity, 0);
    assertThat(read(DataType.INT32, written, 0, written.length)).doesNotContainNull().hasSize(2);
  }

  @Test
  void validityBitsOfAnotherNumberOfElementsAreCorrupt() {
    byte[] cell = ArrayCellWriter.write(DataType.INT8, new byte[9], valid(9, 3));
    LittleEndian.putInt(cell, 48, 8); // the number of elements
    assertThatThrownBy(() -> read(DataType.INT8, cell, 0, cell.length))
        .hasMessageContaining("8 elements have 2 bytes of validity bits");
  }

  @Test
  void elementsOfAnotherKindAreCorrupt() {
    byte[] cell = ArrayCellWriter.write(DataType.INT32, new int[3], null);
    assertThatThrownBy(() -> read(DataType.INT64, cell, 0, cell.length))
        .hasMessageContaining("the elements are of kind 5 instead of 7, which is INT64");
  }

  @Test
  void elementsThatShareBytesCannotExceedTheCell() {
    FlatBufferBuilder out = new FlatBufferBuilder();
    int text = out.createString("x".repeat(1000));
    int vector = out.createVectorOfTables(new int[] {text, text});
    out.startTable(1);
    out.addOffset(0, vector, 0);
    int elements = out.endTable();
    out.startTable(3);
    out.addByte(0, (byte) 11, 0);
    out.addOffset(1, elements, 0);
    out.finish(out.endTable());
    byte[] cell = out.sizedByteArray();
    assertThatThrownBy(() -> read(DataType.STRING, cell, 0, cell.length))
        .hasMessageContaining("the elements have 2000 bytes because they overlap");
  }

  @Test
  void nullElementsAreZeroInTheCell() {
    byte[] cell =
        ArrayCellWriter.write(
            DataType.INT64, new long[] {1, 0x1234567890abcdefL}, new boolean[] {true, false});
    assertThat(LittleEndian.getLong(cell, 64)).isZero();
  }

  @Test
  void writersCheckTypesAndValidity() {
    assertThatThrownBy(() -> ArrayCellWriter.write(DataType.INT32, new long[1], null))
        .hasMessage("Elements of type INT32 are not integers of 8 bytes");
    assertThatThrownBy(() -> ArrayCellWriter.write(DataType.FLOAT, new int[1], null))
        .hasMessage("Elements of type FLOAT are not integers of 4 bytes");
    assertThatThrownBy(() -> ArrayCellWriter.write(DataType.INT32, new byte[1][], null))
        .hasMessage("Elements of type INT32 are not texts");
    assertThatThrownBy(() -> ArrayCellWriter.write(DataType.INT32, new int[2], new boolean[1]))
        .hasMessage("validity length mismatch: 1 vs 2");
    assertThatThrownBy(() -> new ArrayCellReader(DataType.DECIMAL128))
        .hasMessage("Arrays of DECIMAL128 are not supported");
  }

  @Test
  void textShowsElementsOrTheError() {
    ArrayCellReader reader = new ArrayCellReader(DataType.VARCHAR);
    byte[] cell =
        new SampleArray(DataType.VARCHAR, Arrays.asList(utf8("a"), null, utf8("b"))).write();
    assertThat(ArrayText.of(reader, cell, text -> new String(text, StandardCharsets.UTF_8)))
        .isEqualTo("[a, NULL, b]");
    assertThat(ArrayText.of(reader, new byte[3], text -> "x"))
        .isEqualTo("(corrupted array cell data: in a cell of 3 bytes, it continues at byte 0)");
  }

  private static boolean[] valid(int count, int except) {
    boolean[] valid = new boolean[count];
    Arrays.fill(valid, true);
    valid[except] = false;
    return valid;
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static List<byte[]> read(DataType type, byte[] bytes, int offset, int length) {
    ArrayCellReader reader = new ArrayCellReader(type);
    reader.open(bytes, offset, length);
    List<byte[]> elements = new ArrayList<>();
    for (int i = 0; i < reader.count(); i++) {
      int at = reader.elementOffset(i);
      byte[] element = Arrays.copyOfRange(reader.array(), at, at + reader.elementLength(i));
      assertThat(at).isBetween(offset, offset + length - element.length);
      elements.add(reader.isNull(i) ? null : element);
    }
    return elements;
  }

  private static void assertElements(List<byte[]> found, SampleArray expected) {
    assertThat(found).hasSameSizeAs(expected.elements());
    for (int i = 0; i < found.size(); i++) {
      assertThat(found.get(i)).isEqualTo(expected.elements().get(i));
    }
  }
}

package dev.kudu4j.common.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kudu4j.common.SampleCells;
import dev.kudu4j.common.TestVectors;
import dev.kudu4j.common.row.OperationType;
import dev.kudu4j.common.row.RowLayout;
import dev.kudu4j.common.row.RowOperationsReader;
import dev.kudu4j.common.row.RowOperationsWriter;
import dev.kudu4j.common.schema.CellOrder;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class KeyEncodingTest {
  static Stream<JsonNode> vectors() {
    return TestVectors.group("primary_key");
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void primaryKeyEqualsThePublishedClients(JsonNode vector) {
    Schema schema = TestVectors.schema(vector.get("columns"));
    RowOperationsWriter writer = new RowOperationsWriter(RowLayout.of(schema));
    writer.begin(OperationType.INSERT);
    byte[][] cells = new byte[schema.keyColumnCount()][];
    int[] columns = new int[cells.length];
    for (int i = 0; i < cells.length; i++) {
      cells[i] = TestVectors.cell(schema.column(i), vector.get("row").get(schema.column(i).name()));
      columns[i] = i;
      writer.setCell(i, cells[i]);
    }
    writer.end();
    RowOperationsReader reader = writer.reader();
    assertThat(reader.next()).isTrue();

    KeyBuffer key = new KeyBuffer(1);
    assertThat(RowKeyEncoder.ofPrimaryKey(schema, columns).append(reader, key)).isTrue();
    assertThat(key.toByteArray())
        .asHexString()
        .isEqualToIgnoringCase(vector.get("encoded").asText());
    assertThat(KeyDecoder.decode(schema, key.toByteArray())).isDeepEqualTo(cells);
  }

  @Property(tries = 2000)
  void encodedKeysHaveTheOrderOfTheirValuesAndAreDecoded(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 4) int columnCount) {
    Random random = new Random(seed);
    List<DataType> types = new ArrayList<>();
    byte[][] left = new byte[columnCount][];
    byte[][] right = new byte[columnCount][];
    for (int i = 0; i < columnCount; i++) {
      DataType type = SampleCells.KEY_TYPES.get(random.nextInt(SampleCells.KEY_TYPES.size()));
      types.add(type);
      left[i] = SampleCells.of(type, random);
      right[i] = random.nextInt(3) == 0 ? left[i] : SampleCells.of(type, random);
    }
    byte[] leftKey = encode(types, left);
    byte[] rightKey = encode(types, right);
    assertThat(Integer.signum(Arrays.compareUnsigned(leftKey, rightKey)))
        .isEqualTo(compare(types, left, right));
    assertThat(KeyDecoder.decode(types, leftKey)).isDeepEqualTo(left);
  }

  @Property(tries = 1000)
  void nothingLiesBetweenACellAndItsSuccessor(@ForAll long seed) {
    Random random = new Random(seed);
    DataType type = SampleCells.STORED_TYPES.get(random.nextInt(SampleCells.STORED_TYPES.size()));
    byte[] cell = SampleCells.of(type, random);
    byte[] other = SampleCells.of(type, random);
    byte[] next = CellOrder.successor(type, cell);
    if (next == null) {
      byte[] maximum = Objects.requireNonNull(CellOrder.maximum(type), type::name);
      assertThat(CellOrder.compare(type, cell, maximum)).isNotNegative();
    } else {
      assertThat(CellOrder.compare(type, cell, next)).isNegative();
      boolean above = CellOrder.compare(type, other, cell) > 0;
      assertThat(CellOrder.compare(type, other, next) >= 0).isEqualTo(above);
    }
  }

  @Test
  void trimRemovesBytesBeyondTheKey() {
    Schema schema =
        new Schema(
            List.of(
                ColumnSchema.builder("a", DataType.STRING).key(true).build(),
                ColumnSchema.builder("b", DataType.INT8).key(true).build()));
    assertThat(KeyDecoder.trim(schema, new byte[] {'a', 0, 0, 1, 9, 9}))
        .containsExactly('a', 0, 0, 1);
    assertThatThrownBy(() -> KeyDecoder.trim(schema, new byte[] {'a', 0, 0}))
        .isInstanceOf(KuduException.class);
    assertThatThrownBy(() -> KeyDecoder.trim(schema, new byte[0]))
        .isInstanceOf(KuduException.class);
  }

  @Test
  void encoderRefusesARowWithoutAKeyColumn() {
    Schema schema =
        new Schema(
            List.of(
                ColumnSchema.builder("a", DataType.INT32).key(true).build(),
                ColumnSchema.builder("b", DataType.STRING).key(true).build()));
    RowOperationsWriter writer = new RowOperationsWriter(RowLayout.of(schema));
    writer.begin(OperationType.INSERT).setInt(0, 1).end();
    RowOperationsReader reader = writer.reader();
    assertThat(reader.next()).isTrue();
    RowKeyEncoder encoder = RowKeyEncoder.ofPrimaryKey(schema, new int[] {0, 1});
    assertThat(encoder.append(reader, new KeyBuffer())).isFalse();
    assertThat(encoder.appendAllButLast(reader, new KeyBuffer())).isTrue();
  }

  @Test
  void decoderRefusesMalformedKeys() {
    List<DataType> types = List.of(DataType.STRING, DataType.INT16);
    assertMalformed(types, new byte[] {'a'});
    assertMalformed(types, new byte[] {'a', 0});
    assertMalformed(types, new byte[] {'a', 0, 2, 0, 0, 1, 1});
    assertMalformed(types, new byte[] {'a', 0, 0, 1});
    byte[][] withBytesBeyond = KeyDecoder.decode(types, new byte[] {'a', 0, 0, 1, 2, 3});
    assertThat(withBytesBeyond[1]).containsExactly(2, 0x81);
  }

  private static void assertMalformed(List<DataType> types, byte[] key) {
    assertThatThrownBy(() -> KeyDecoder.decode(types, key))
        .isInstanceOf(KuduException.class)
        .hasMessageContaining("Malformed encoded key");
  }

  private static byte[] encode(List<DataType> types, byte[][] cells) {
    KeyBuffer key = new KeyBuffer(1);
    for (int i = 0; i < cells.length; i++) {
      KeyEncoder.appendCell(types.get(i), cells[i], 0, cells[i].length, i == cells.length - 1, key);
    }
    return key.toByteArray();
  }

  private static int compare(List<DataType> types, byte[][] left, byte[][] right) {
    for (int i = 0; i < left.length; i++) {
      int order = CellOrder.compare(types.get(i), left[i], right[i]);
      if (order != 0) {
        return Integer.signum(order);
      }
    }
    return 0;
  }
}

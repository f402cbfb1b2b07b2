package dev.kudu4j.common.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kudu4j.common.SampleCells;
import dev.kudu4j.common.TestVectors;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RowOperationsTest {
  private static final RowLayout LAYOUT =
      new RowLayout(List.of(DataType.INT32, DataType.STRING), new boolean[] {false, true});

  static Stream<JsonNode> vectors() {
    return TestVectors.group("row_operations");
  }

  /**
   * The operations of a vector; bounds, which the vector describes as text, are converted to the
   * form of the others.
   */
  private static JsonNode operations(JsonNode vector) {
    if (vector.has("ops")) {
      return vector.get("ops");
    }
    ArrayNode bounds = JsonNodeFactory.instance.arrayNode();
    String lowerType = vector.at("/bounds/lower_type").asText();
    String upperType = vector.at("/bounds/upper_type").asText();
    bounds.add(
        bound(
            lowerType.startsWith("IN") ? "RANGE_LOWER_BOUND" : "EXCLUSIVE_RANGE_LOWER_BOUND",
            vector.at("/bounds/lower")));
    bounds.add(
        bound(
            upperType.startsWith("IN") ? "INCLUSIVE_RANGE_UPPER_BOUND" : "RANGE_UPPER_BOUND",
            vector.at("/bounds/upper")));
    return bounds;
  }

  private static JsonNode bound(String type, JsonNode words) {
    ObjectNode bound = JsonNodeFactory.instance.objectNode().put("op", type);
    ObjectNode set = bound.putObject("set");
    String[] parts = words.asText().split("\"", -1);
    if (parts.length == 3) {
      set.put("name", parts[1]);
    }
    return bound;
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void writerPacksAsThePublishedClient(JsonNode vector) {
    Schema schema = TestVectors.schema(vector.get("columns"));
    RowOperationsWriter writer = new RowOperationsWriter(RowLayout.of(schema));
    for (JsonNode op : operations(vector)) {
      writer.begin(OperationType.valueOf(op.get("op").asText()));
      for (int i = 0; i < schema.columnCount(); i++) {
        JsonNode value = op.get("set").get(schema.column(i).name());
        if (value != null) {
          byte[] cell = TestVectors.cell(schema.column(i), value);
          if (cell == null) {
            writer.setNull(i);
          } else {
            writer.setCell(i, cell);
          }
        }
      }
      writer.end();
    }
    assertThat(writer.rows()).asHexString().isEqualToIgnoringCase(vector.get("rows").asText());
    assertThat(writer.indirectData())
        .asHexString()
        .isEqualToIgnoringCase(vector.get("indirect_data").asText());
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void readerUnpacksThePublishedClientsRows(JsonNode vector) {
    Schema schema = TestVectors.schema(vector.get("columns"));
    byte[] rows = TestVectors.hex(vector.get("rows"));
    byte[] indirect = TestVectors.hex(vector.get("indirect_data"));
    RowOperationsReader reader =
        new RowOperations(RowLayout.of(schema), rows, 0, rows.length, indirect, 0, indirect.length)
            .reader();
    for (JsonNode op : operations(vector)) {
      assertThat(reader.next()).isTrue();
      assertThat(reader.type()).isEqualTo(OperationType.valueOf(op.get("op").asText()));
      for (int i = 0; i < schema.columnCount(); i++) {
        JsonNode value = op.get("set").get(schema.column(i).name());
        assertThat(reader.isSet(i)).isEqualTo(value != null);
        assertThat(reader.isNull(i)).isEqualTo(value != null && value.isNull());
        assertThat(reader.cell(i))
            .isEqualTo(value == null ? null : TestVectors.cell(schema.column(i), value));
      }
    }
    assertThat(reader.next()).isFalse();
  }

  @Property(tries = 300)
  void writtenOperationsAreReadBack(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 140) int columnCount) {
    Random random = new Random(seed);
    List<DataType> types = new ArrayList<>();
    boolean[] nullable = new boolean[columnCount];
    boolean anyNullable = random.nextBoolean();
    for (int i = 0; i < columnCount; i++) {
      types.add(SampleCells.STORED_TYPES.get(random.nextInt(SampleCells.STORED_TYPES.size())));
      nullable[i] = anyNullable && random.nextBoolean();
    }
    RowLayout layout = new RowLayout(types, nullable);
    RowOperationsWriter writer = new RowOperationsWriter(layout);
    List<byte[][]> cells = new ArrayList<>();
    List<boolean[]> isSet = new ArrayList<>();
    int rowCount = random.nextInt(8);
    for (int row = 0; row < rowCount; row++) {
      byte[][] rowCells = new byte[columnCount][];
      boolean[] rowSet = new boolean[columnCount];
      writer.begin(OperationType.UPSERT);
      for (int i = columnCount - 1; i >= 0; i--) {
        rowSet[i] = random.nextInt(4) != 0;
        if (rowSet[i] && nullable[i] && random.nextBoolean()) {
          writer.setNull(i);
        } else if (rowSet[i]) {
          rowCells[i] = SampleCells.of(types.get(i), random);
          writer.setCell(i, rowCells[i]);
        }
      }
      writer.end();
      cells.add(rowCells);
      isSet.add(rowSet);
    }

    // The same bytes, somewhere in the middle of larger arrays.
    byte[] rows = surrounded(writer.rows());
    byte[] indirect = surrounded(writer.indirectData());
    RowOperationsReader reader =
        new RowOperations(layout, rows, 9, rows.length - 20, indirect, 9, indirect.length - 20)
            .reader();
    for (int row = 0; row < rowCount; row++) {
      assertThat(reader.next()).isTrue();
      assertThat(reader.rowIndex()).isEqualTo(row);
      for (int i = 0; i < columnCount; i++) {
        assertThat(reader.isSet(i)).isEqualTo(isSet.get(row)[i]);
        assertThat(reader.hasCell(i)).isEqualTo(cells.get(row)[i] != null);
        assertThat(reader.isNull(i)).isEqualTo(isSet.get(row)[i] && cells.get(row)[i] == null);
        assertThat(reader.cell(i)).isEqualTo(cells.get(row)[i]);
      }
    }
    assertThat(reader.next()).isFalse();
  }

  private static byte[] surrounded(byte[] bytes) {
    byte[] larger = new byte[bytes.length + 20];
    Arrays.fill(larger, (byte) 0xff);
    System.arraycopy(bytes, 0, larger, 9, bytes.length);
    return larger;
  }

  @Test
  void everyTruncatedRowIsCorrupt() {
    byte[] rows = oneRow().rows();
    for (int length = 1; length < rows.length; length++) {
      byte[] cut = Arrays.copyOf(rows, length);
      assertThatThrownBy(() -> read(cut, "text".getBytes(StandardCharsets.UTF_8)))
          .asInstanceOf(InstanceOfAssertFactories.type(KuduException.class))
          .extracting(KuduException::code)
          .isEqualTo(StatusCode.CORRUPTION);
    }
  }

  @Test
  void sliceOutsideTheIndirectDataIsCorruption() {
    byte[] rows = oneRow().rows();
    assertFailure(rows, new byte[3], StatusCode.CORRUPTION, "Bad indirect slice");
    for (int i = rows.length - 16; i < rows.length; i++) {
      byte[] changed = rows.clone();
      changed[i] = (byte) 0xff;
      assertFailure(changed, new byte[4], StatusCode.CORRUPTION, "Bad indirect slice");
    }
  }

  @Test
  void nullInAColumnThatIsNotNullableIsCorruption() {
    assertFailure(new byte[] {1, 1, 1}, new byte[0], StatusCode.CORRUPTION, "column 0");
  }

  @Test
  void unknownTypeIsNotSupported() {
    byte[] rows = oneRow().rows();
    for (int type : new int[] {0, 14, 255}) {
      rows[0] = (byte) type;
      assertFailure(
          rows, new byte[4], StatusCode.NOT_SUPPORTED, "Unknown row operation type " + type);
    }
  }

  private static RowOperationsWriter oneRow() {
    RowOperationsWriter writer = new RowOperationsWriter(LAYOUT);
    writer.begin(OperationType.INSERT).setInt(0, 7).setString(1, "text").end();
    return writer;
  }

  private static void read(byte[] rows, byte[] indirect) {
    RowOperationsReader reader =
        new RowOperations(LAYOUT, rows, 0, rows.length, indirect, 0, indirect.length).reader();
    while (reader.next()) {
      assertThat(reader.type()).isNotNull();
    }
  }

  private static void assertFailure(byte[] rows, byte[] indirect, StatusCode code, String message) {
    assertThatThrownBy(() -> read(rows, indirect))
        .hasMessageContaining(message)
        .asInstanceOf(InstanceOfAssertFactories.type(KuduException.class))
        .extracting(KuduException::code)
        .isEqualTo(code);
  }
}

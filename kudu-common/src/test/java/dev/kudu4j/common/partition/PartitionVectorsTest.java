package dev.kudu4j.common.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kudu4j.common.TestVectors;
import dev.kudu4j.common.key.KeyBuffer;
import dev.kudu4j.common.key.RowKeyEncoder;
import dev.kudu4j.common.proto.common.PartitionSchemaPB;
import dev.kudu4j.common.proto.common.RowOperationsPB;
import dev.kudu4j.common.row.OperationType;
import dev.kudu4j.common.row.RowLayout;
import dev.kudu4j.common.row.RowOperationsReader;
import dev.kudu4j.common.row.RowOperationsWriter;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.schema.SchemaException;
import dev.kudu4j.common.wire.PartitionWire;
import dev.kudu4j.common.wire.RowOperationsWire;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares hashes, partition keys and tablets with those of the published client and a real master.
 */
class PartitionVectorsTest {
  private static final Schema TABLE =
      new Schema(
              List.of(
                  ColumnSchema.builder("id", DataType.INT32).key(true).build(),
                  ColumnSchema.builder("name", DataType.STRING).key(true).build(),
                  ColumnSchema.builder("ts", DataType.UNIXTIME_MICROS).key(true).build(),
                  ColumnSchema.builder("v", DataType.INT32).nullable(true).build()))
          .withFreshIds();
  private static final int ID = 0;
  private static final int NAME = 1;
  private static final int TS = 2;

  /** The requests to the master, with the names in the vectors. */
  private static final Map<String, Request> REQUESTS =
      Map.ofEntries(
          Map.entry("single", request().ranged()),
          Map.entry("range_unbounded", request().ranged("id")),
          Map.entry("hash4", request().hash(4, 0, "id").ranged()),
          Map.entry("hash_default_range", request().hash(2, 0, "id")),
          Map.entry("hash2x3", request().hash(2, 0, "id").hash(3, 5, "name").ranged()),
          Map.entry(
              "hash2x2_range_open",
              request()
                  .hash(2, 0, "id")
                  .hash(2, 0, "name")
                  .ranged("ts")
                  .lower(row -> row.setLong(TS, 0))
                  .upper(row -> {})),
          Map.entry(
              "hash2_range_lower_open",
              request()
                  .hash(2, 0, "id")
                  .ranged("ts")
                  .lower(row -> {})
                  .upper(row -> row.setLong(TS, 0))
                  .lower(row -> row.setLong(TS, 10))
                  .upper(row -> row.setLong(TS, 20))),
          Map.entry("range_two", request().ranged("id").ids(20, 30).ids(0, 10)),
          Map.entry(
              "range_bound_types",
              request()
                  .ranged("id")
                  .add(OperationType.EXCLUSIVE_RANGE_LOWER_BOUND, row -> row.setInt(ID, 0))
                  .add(OperationType.INCLUSIVE_RANGE_UPPER_BOUND, row -> row.setInt(ID, 10))),
          Map.entry(
              "range_str_bound_types",
              request()
                  .ranged("name")
                  .add(OperationType.EXCLUSIVE_RANGE_LOWER_BOUND, row -> row.setString(NAME, "a"))
                  .add(OperationType.INCLUSIVE_RANGE_UPPER_BOUND, row -> row.setString(NAME, "c"))),
          Map.entry(
              "range_multi_partial",
              request()
                  .ranged("name", "id")
                  .lower(row -> row.setString(NAME, "b"))
                  .upper(row -> row.setString(NAME, "d"))),
          Map.entry(
              "range_multi_excl",
              request()
                  .ranged("id", "ts")
                  .add(
                      OperationType.EXCLUSIVE_RANGE_LOWER_BOUND,
                      row -> row.setInt(ID, 5).setLong(TS, Long.MAX_VALUE))
                  .add(
                      OperationType.INCLUSIVE_RANGE_UPPER_BOUND,
                      row -> row.setInt(ID, 9).setLong(TS, 1))),
          Map.entry(
              "inclusive_max",
              request()
                  .ranged("id")
                  .lower(row -> row.setInt(ID, 0))
                  .add(
                      OperationType.INCLUSIVE_RANGE_UPPER_BOUND,
                      row -> row.setInt(ID, Integer.MAX_VALUE))),
          Map.entry(
              "splits",
              request()
                  .ranged("id")
                  .add(OperationType.SPLIT_ROW, row -> row.setInt(ID, 10))
                  .add(OperationType.SPLIT_ROW, row -> row.setInt(ID, -5))),
          Map.entry(
              "splits_in_bounds",
              request()
                  .hash(2, 0, "name")
                  .ranged("id")
                  .ids(0, 100)
                  .add(OperationType.SPLIT_ROW, row -> row.setInt(ID, 50))),
          Map.entry(
              "custom_hash",
              request()
                  .hash(2, 0, "id")
                  .ranged("ts")
                  .custom(0, 100, request().hash(2, 0, "id"))
                  .custom(100, 200, request().hash(3, 9, "id"))),
          Map.entry(
              "custom_hash_dims",
              request()
                  .hash(2, 0, "id")
                  .ranged("ts")
                  .custom(0, 100, request().hash(2, 0, "id").hash(2, 0, "name"))),
          Map.entry("overlap", request().ranged("id").ids(5, 15).ids(0, 10)),
          Map.entry("one_bucket", request().hash(1, 0, "id").ranged()),
          Map.entry("hash_col_twice", request().hash(2, 0, "id").hash(2, 0, "id", "name").ranged()),
          Map.entry("hash_nonkey", request().hash(2, 0, "v").ranged()),
          Map.entry("hash_order", request().hash(4, 1, "ts", "id").ranged()));

  static Stream<JsonNode> tables() {
    return TestVectors.group("partitions");
  }

  static Stream<JsonNode> hashes() {
    return TestVectors.group("murmur2_64");
  }

  static Stream<JsonNode> buckets() {
    return TestVectors.group("hash_bucket");
  }

  static Stream<JsonNode> keys() {
    return TestVectors.group("partition_key");
  }

  @ParameterizedTest
  @MethodSource("tables")
  void tabletsEqualTheMasters(JsonNode vector) throws Exception {
    String name = vector.get("name").asText();
    Request request = Objects.requireNonNull(REQUESTS.get(name), name);
    if (vector.has("error")) {
      assertThatThrownBy(request::create).hasMessage(vector.get("error").asText());
      boolean isRangeError = name.equals("overlap");
      assertThatThrownBy(request::create)
          .satisfies(e -> assertThat(e instanceof SchemaException).isEqualTo(!isRangeError));
      return;
    }
    TablePartitions created = request.create();
    assertThat(created.partitions()).hasSize(vector.get("tablets").size());
    for (int i = 0; i < created.partitions().size(); i++) {
      JsonNode tablet = vector.get("tablets").get(i);
      Partition partition = created.partitions().get(i);
      assertThat(partition.start())
          .asHexString()
          .isEqualToIgnoringCase(tablet.get("start").asText());
      assertThat(partition.end()).asHexString().isEqualToIgnoringCase(tablet.get("end").asText());
      assertThat(partition.hashDimensionCount()).isEqualTo(tablet.get("hash_buckets").size());
      for (int d = 0; d < partition.hashDimensionCount(); d++) {
        assertThat(partition.hashBucket(d)).isEqualTo(tablet.get("hash_buckets").get(d).asInt());
      }
      assertThat(PartitionWire.fromWire(PartitionWire.toWire(partition))).isEqualTo(partition);
    }
    byte[] sent = TestVectors.hex(vector.get("partition_schema_pb"));
    assertThat(PartitionWire.toWire(created.schema(), TABLE).toByteArray()).isEqualTo(sent);
    assertThat(PartitionWire.fromWire(PartitionSchemaPB.parseFrom(sent), TABLE))
        .isEqualTo(created.schema());
  }

  @Test
  void everyTableOfTheVectorsIsTested() {
    assertThat(tables().map(vector -> vector.get("name").asText()))
        .containsExactlyInAnyOrderElementsOf(REQUESTS.keySet());
  }

  @ParameterizedTest
  @MethodSource("hashes")
  void murmurHashEqualsKudus(JsonNode vector) {
    byte[] input = TestVectors.hex(vector.get("input"));
    int seed = Integer.parseUnsignedInt(vector.get("seed").asText());
    assertThat(MurmurHash2.hash64(input, 0, input.length, seed))
        .isEqualTo(Long.parseUnsignedLong(vector.get("hash64").asText()));
  }

  @ParameterizedTest
  @MethodSource("buckets")
  void bucketsEqualThePublishedClients(JsonNode vector) {
    Schema schema = TestVectors.schema(vector.get("columns"));
    HashDimension dimension =
        new HashDimension(
            ids(vector.get("hash_column_ids")),
            vector.get("num_buckets").asInt(),
            (int) vector.get("seed").asLong());
    int[] columns = dimension.columnIds().stream().mapToInt(schema::indexOfId).toArray();
    DataType[] types =
        IntStream.of(columns).mapToObj(i -> schema.column(i).type()).toArray(DataType[]::new);
    KeyBuffer input = new KeyBuffer();
    assertThat(new RowKeyEncoder(types, columns).append(row(schema, vector.get("row")), input))
        .isTrue();
    assertThat(input.toByteArray())
        .asHexString()
        .isEqualToIgnoringCase(vector.get("hash_input").asText());
    assertThat(dimension.bucketOf(input.array(), 0, input.length()))
        .isEqualTo(vector.get("bucket").asInt());
  }

  @ParameterizedTest
  @MethodSource("keys")
  void partitionKeysEqualThePublishedClients(JsonNode vector) {
    Schema schema = TestVectors.schema(vector.get("columns"));
    List<HashDimension> dimensions = new ArrayList<>();
    for (JsonNode hash : vector.get("hash_schema")) {
      dimensions.add(
          new HashDimension(
              ids(hash.get("column_ids")),
              hash.get("num_buckets").asInt(),
              (int) hash.get("seed").asLong()));
    }
    PartitionSchema partitionSchema =
        new PartitionSchema(dimensions, ids(vector.get("range_column_ids")), List.of());
    int[] columns = IntStream.range(0, schema.columnCount()).toArray();
    KeyBuffer key = new KeyBuffer();
    PartitionKeyEncoder encoder = new PartitionKeyEncoder(partitionSchema, schema, columns);
    assertThat(encoder.append(row(schema, vector.get("row")), key)).isTrue();
    assertThat(key.toByteArray())
        .asHexString()
        .isEqualToIgnoringCase(vector.get("encoded").asText());
  }

  private static RowOperationsReader row(Schema schema, JsonNode row) {
    RowOperationsWriter writer = new RowOperationsWriter(RowLayout.of(schema));
    writer.begin(OperationType.INSERT);
    for (int i = 0; i < schema.columnCount(); i++) {
      if (row.has(schema.column(i).name())) {
        writer.setCell(i, TestVectors.cell(schema.column(i), row.get(schema.column(i).name())));
      }
    }
    writer.end();
    RowOperationsReader reader = writer.reader();
    assertThat(reader.next()).isTrue();
    return reader;
  }

  private static List<Integer> ids(JsonNode list) {
    List<Integer> ids = new ArrayList<>();
    list.forEach(id -> ids.add(id.asInt()));
    return ids;
  }

  private static Request request() {
    return new Request();
  }

  /** The partitioning of a CreateTable request. */
  private static final class Request {
    private final PartitionSchemaPB.Builder schema = PartitionSchemaPB.newBuilder();
    private final RowOperationsWriter rows = new RowOperationsWriter(RowLayout.of(TABLE));

    Request hash(int buckets, int seed, String... columns) {
      PartitionSchemaPB.HashBucketSchemaPB.Builder hash =
          schema.addHashSchemaBuilder().setNumBuckets(buckets).setSeed(seed);
      for (String column : columns) {
        hash.addColumnsBuilder().setName(column);
      }
      return this;
    }

    Request ranged(String... columns) {
      schema.setRangeSchema(PartitionSchemaPB.RangeSchemaPB.getDefaultInstance());
      for (String column : columns) {
        schema.getRangeSchemaBuilder().addColumnsBuilder().setName(column);
      }
      return this;
    }

    Request add(OperationType type, Consumer<RowOperationsWriter> cells) {
      rows.begin(type);
      cells.accept(rows);
      rows.end();
      return this;
    }

    Request lower(Consumer<RowOperationsWriter> cells) {
      return add(OperationType.RANGE_LOWER_BOUND, cells);
    }

    Request upper(Consumer<RowOperationsWriter> cells) {
      return add(OperationType.RANGE_UPPER_BOUND, cells);
    }

    Request ids(int lower, int upper) {
      return lower(row -> row.setInt(ID, lower)).upper(row -> row.setInt(ID, upper));
    }

    Request custom(long lower, long upper, Request hashing) {
      Request bounds =
          request().lower(row -> row.setLong(TS, lower)).upper(row -> row.setLong(TS, upper));
      schema
          .addCustomHashSchemaRangesBuilder()
          .setRangeBounds(RowOperationsWire.toWire(bounds.rows))
          .addAllHashSchema(hashing.schema.getHashSchemaList());
      return this;
    }

    TablePartitions create() {
      RowOperationsPB bounds = RowOperationsWire.toWire(rows);
      return PartitionWire.create(schema.build(), bounds, false, TABLE, 1000);
    }
  }
}

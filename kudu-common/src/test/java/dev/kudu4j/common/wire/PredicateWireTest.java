package dev.kudu4j.common.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.ByteString;
import dev.kudu4j.common.TestVectors;
import dev.kudu4j.common.predicate.ColumnPredicate;
import dev.kudu4j.common.predicate.ColumnPredicates;
import dev.kudu4j.common.proto.common.ColumnPredicatePB;
import dev.kudu4j.common.proto.common.HashAlgorithm;
import dev.kudu4j.common.proto.tserver.NewScanRequestPB;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PredicateWireTest {
  private static final Schema TABLE =
      new Schema(
          List.of(
              ColumnSchema.builder("id", DataType.INT64).key(true).build(),
              ColumnSchema.builder("s", DataType.STRING).nullable(true).build()));

  static Stream<JsonNode> vectors() {
    return TestVectors.group("predicates");
  }

  static Stream<JsonNode> bloomFilters() {
    return TestVectors.group("bloom_filters");
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void messagesOfThePublishedClientAreReadAndWrittenBack(JsonNode vector) throws Exception {
    byte[] sent = TestVectors.hex(vector.get("pb"));
    ColumnPredicatePB pb = ColumnPredicatePB.parseFrom(sent);
    String type = vector.get("column_type").asText().replace("Type: ", "");
    Schema schema =
        new Schema(
            List.of(ColumnSchema.builder(pb.getColumn(), type(type)).nullable(true).build()));
    assertThat(PredicateWire.toWire(PredicateWire.fromWire(pb, schema)).toByteArray())
        .isEqualTo(sent);
  }

  private static DataType type(String javaName) {
    return javaName.startsWith("decimal")
        ? DataType.DECIMAL64
        : DataType.valueOf(javaName.toUpperCase(Locale.ROOT));
  }

  @ParameterizedTest
  @MethodSource("bloomFilters")
  void bloomFilterPassesWhatWasInserted(JsonNode vector) throws Exception {
    byte[] sent = TestVectors.hex(vector.get("predicate_pb"));
    ColumnPredicatePB pb = ColumnPredicatePB.parseFrom(sent);
    DataType type =
        vector.get("column").asText().equals("int_val") ? DataType.INT32 : DataType.STRING;
    Schema schema = new Schema(List.of(ColumnSchema.builder(pb.getColumn(), type).build()));
    ColumnPredicate predicate = PredicateWire.fromWire(pb, schema);
    for (JsonNode inserted : vector.get("inserted")) {
      assertThat(ColumnPredicates.matches(predicate, TestVectors.hex(inserted.get("hex"))))
          .isTrue();
    }
    assertThat(PredicateWire.fromWire(PredicateWire.toWire(predicate), schema))
        .usingRecursiveComparison()
        .isEqualTo(predicate);
  }

  @Test
  void malformedPredicatesAreInvalidArguments() {
    assertBad(
        predicate("nope").setIsNull(ColumnPredicatePB.IsNull.getDefaultInstance()),
        "Unknown column");
    assertBad(ColumnPredicatePB.newBuilder(), "must include a column");
    assertBad(predicate("id"), "Unknown predicate type");
    assertBad(predicate("id").setRange(ColumnPredicatePB.Range.getDefaultInstance()), "no bounds");
    assertBad(
        predicate("id").setEquality(ColumnPredicatePB.Equality.getDefaultInstance()), "no value");
    ColumnPredicatePB.Builder small = predicate("id");
    small.getEqualityBuilder().setValue(ByteString.copyFrom(new byte[4]));
    assertBad(small, "Expected value size 8, got 4");
    assertBad(
        predicate("id").setInBloomFilter(ColumnPredicatePB.InBloomFilter.getDefaultInstance()),
        "no bloom filter");
    ColumnPredicatePB.Builder bloom = predicate("id");
    bloom
        .getInBloomFilterBuilder()
        .addBloomFiltersBuilder()
        .setLogSpaceBytes(40)
        .setBloomData(ByteString.EMPTY)
        .setAlwaysFalse(false)
        .setHashAlgorithm(HashAlgorithm.FAST_HASH);
    assertBad(bloom, "0 bytes of data are not 2^40 bytes");
  }

  private static ColumnPredicatePB.Builder predicate(String column) {
    return ColumnPredicatePB.newBuilder().setColumn(column);
  }

  private static void assertBad(ColumnPredicatePB.Builder pb, String message) {
    assertThatThrownBy(() -> PredicateWire.fromWire(pb.build(), TABLE))
        .hasMessageContaining(message)
        .isInstanceOfSatisfying(
            KuduException.class, e -> assertThat(e.code()).isEqualTo(StatusCode.INVALID_ARGUMENT));
  }

  @Test
  void obsoleteRangesIncludeBothEnds() {
    NewScanRequestPB.Builder scan = NewScanRequestPB.newBuilder().setTabletId(ByteString.EMPTY);
    scan.addDEPRECATEDRangePredicatesBuilder()
        .setColumn(SchemaWire.toWire(TABLE.column(0), false))
        .setLowerBound(ByteString.copyFrom(cell(3)))
        .setInclusiveUpperBound(ByteString.copyFrom(cell(5)));
    List<ColumnPredicate> predicates = PredicateWire.fromWire(scan.build(), TABLE);
    assertThat(predicates).hasSize(1);
    for (long value = 0; value < 10; value++) {
      assertThat(ColumnPredicates.matches(predicates.get(0), cell(value)))
          .isEqualTo(value >= 3 && value <= 5);
    }
  }

  private static byte[] cell(long value) {
    byte[] cell = new byte[8];
    LittleEndian.putLong(cell, 0, value);
    return cell;
  }

  @Test
  void arraysAreNotCompared() {
    ColumnSchema array = ColumnSchema.arrayBuilder("a", DataType.INT32).nullable(true).build();
    Schema table = new Schema(List.of(TABLE.column(0), array));
    ColumnPredicatePB isNull = PredicateWire.toWire(new ColumnPredicate.IsNull(array));
    assertThat(PredicateWire.fromWire(isNull, table)).isInstanceOf(ColumnPredicate.IsNull.class);
    ColumnPredicatePB equality =
        PredicateWire.toWire(new ColumnPredicate.Equality(array, new byte[0]));
    assertThatThrownBy(() -> PredicateWire.fromWire(equality, table))
        .hasMessageContaining("only IS NULL and IS NOT NULL are supported")
        .isInstanceOfSatisfying(
            KuduException.class, e -> assertThat(e.code()).isEqualTo(StatusCode.INVALID_ARGUMENT));
  }
}

package dev.kudu4j.tserver.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.expression.Aggregate;
import dev.kudu4j.common.expression.Aggregation;
import dev.kudu4j.common.expression.Expression;
import dev.kudu4j.common.key.KeyBuffer;
import dev.kudu4j.common.key.KeyEncoder;
import dev.kudu4j.common.proto.common.ColumnPredicatePB;
import dev.kudu4j.common.proto.common.OrderMode;
import dev.kudu4j.common.proto.common.ReadMode;
import dev.kudu4j.common.proto.tserver.NewScanRequestPB;
import dev.kudu4j.common.proto.tserver.TabletServerErrorPB;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.schema.SchemaException;
import dev.kudu4j.common.wire.ExpressionWire;
import dev.kudu4j.common.wire.SchemaWire;
import dev.kudu4j.tserver.error.TabletServerError;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Valid scan requests, and the error code of each invalid one. */
class ScanPlanTest {
  private static final Schema TABLET =
      new Schema(
          List.of(
              ColumnSchema.builder("key", DataType.INT64).key(true).id(0).build(),
              ColumnSchema.builder("text", DataType.STRING).nullable(true).id(1).build()));

  private static NewScanRequestPB.Builder request() {
    return NewScanRequestPB.newBuilder().setTabletId(ByteString.copyFromUtf8("t"));
  }

  private static void refused(
      NewScanRequestPB.Builder request, TabletServerErrorPB.Code code, String text) {
    assertThatThrownBy(() -> ScanPlan.of(request.build(), TABLET, List::of))
        .isInstanceOfSatisfying(
            TabletServerError.class, e -> assertThat(e.errorCode()).isEqualTo(code))
        .hasMessageContaining(text);
  }

  @Test
  void projectionsKeepTheClientsOrderAndTheTabletsIds() {
    ScanPlan plan =
        ScanPlan.of(
            request()
                .addProjectedColumns(column("text", DataType.STRING, true))
                .addProjectedColumns(column("key", DataType.INT64, false))
                .build(),
            TABLET,
            List::of);
    assertThat(plan.projection().column(0).id()).isEqualTo(1);
    assertThat(plan.projection().column(1).id()).isEqualTo(0);
    assertThat(plan.wholeKey()).isFalse();
    assertThat(plan.limit()).isEqualTo(Long.MAX_VALUE);
  }

  private static dev.kudu4j.common.proto.common.ColumnSchemaPB column(
      String name, DataType type, boolean nullable) {
    return SchemaWire.toWire(ColumnSchema.builder(name, type).nullable(nullable).build(), false);
  }

  @Test
  void unknownColumnsAreNamed() {
    assertThatThrownBy(
            () ->
                ScanPlan.of(
                    request().addProjectedColumns(column("nope", DataType.INT32, false)).build(),
                    TABLET,
                    List::of))
        .isInstanceOf(SchemaException.class)
        .hasMessageContaining("nope");
  }

  @Test
  void givenKeysAscendEachOnceInNoOrder() {
    ByteString one = key(1);
    ByteString two = key(2);
    ScanPlan plan =
        ScanPlan.of(request().addPrimaryKeys(one).addPrimaryKeys(two).build(), TABLET, List::of);
    assertThat(plan.keys()).containsExactly(one.toByteArray(), two.toByteArray());
    assertThat(ScanPlan.of(request().build(), TABLET, List::of).keys()).isNull();

    TabletServerErrorPB.Code invalid = TabletServerErrorPB.Code.INVALID_SCAN_SPEC;
    refused(request().addPrimaryKeys(two).addPrimaryKeys(one), invalid, "must be ascending");
    refused(request().addPrimaryKeys(one).addPrimaryKeys(one), invalid, "distinct");
    refused(request().addPrimaryKeys(one.substring(1)), invalid, "Invalid scan primary key");
    refused(
        request()
            .addPrimaryKeys(one)
            .setOrderMode(OrderMode.ORDERED)
            .setReadMode(ReadMode.READ_AT_SNAPSHOT),
        invalid,
        "given primary keys cannot be ordered");
  }

  private static ByteString key(long value) {
    KeyBuffer key = new KeyBuffer();
    KeyEncoder.appendLong(value, key);
    return ByteString.copyFrom(key.toByteArray());
  }

  @Test
  void aCountOfAllRowsIsShort() {
    Aggregation count = new Aggregation(List.of(), List.of(Aggregate.count()));
    Aggregation texts =
        new Aggregation(List.of(), List.of(Aggregate.count(Expression.column(TABLET.column(1)))));
    Aggregation groups = new Aggregation(List.of(TABLET.column(1)), count.aggregates());
    assertThat(isShort(count)).isTrue();
    assertThat(isShort(texts)).isFalse();
    assertThat(isShort(groups)).isFalse();
    assertThat(ScanPlan.of(request().build(), TABLET, List::of).isShort()).isFalse();
  }

  private static boolean isShort(Aggregation aggregation) {
    return ScanPlan.of(
            request().setAggregation(ExpressionWire.toWire(aggregation)).build(), TABLET, List::of)
        .isShort();
  }

  @Test
  void orderedScansMustBeSnapshotReads() {
    refused(
        request().setOrderMode(OrderMode.ORDERED),
        TabletServerErrorPB.Code.INVALID_SCAN_SPEC,
        "ordered scan that is not a snapshot read");
    assertThat(
            ScanPlan.of(
                    request()
                        .setOrderMode(OrderMode.ORDERED)
                        .setReadMode(ReadMode.READ_AT_SNAPSHOT)
                        .build(),
                    TABLET,
                    List::of)
                .ordered())
        .isTrue();
  }

  @Test
  void unknownModesAreRefused() {
    refused(
        request().setReadMode(ReadMode.UNKNOWN_READ_MODE),
        TabletServerErrorPB.Code.INVALID_SCAN_SPEC,
        "read mode");
    refused(
        request().setOrderMode(OrderMode.UNKNOWN_ORDER_MODE),
        TabletServerErrorPB.Code.INVALID_SCAN_SPEC,
        "order mode");
  }

  @Test
  void keysThatAreTooShortAreRefused() {
    refused(
        request().setStartPrimaryKey(ByteString.EMPTY),
        TabletServerErrorPB.Code.INVALID_SCAN_SPEC,
        "Invalid scan start key");
  }

  @Test
  void predicatesOfTheWrongWidthAreRefused() {
    refused(
        request()
            .addColumnPredicates(
                ColumnPredicatePB.newBuilder()
                    .setColumn("key")
                    .setEquality(
                        ColumnPredicatePB.Equality.newBuilder()
                            .setValue(ByteString.copyFrom(new byte[4])))),
        TabletServerErrorPB.Code.INVALID_SCAN_SPEC,
        "Expected value size 8, got 4");
  }

  @Test
  void layoutsExcludeEachOther() {
    refused(
        request().setRowFormatFlags(3),
        TabletServerErrorPB.Code.INVALID_SCAN_SPEC,
        "exclude each other");
  }

  @Test
  void limitsThatAreZeroOrHugeAskForNothing() {
    assertThat(ScanPlan.of(request().setLimit(0).build(), TABLET, List::of).limit()).isZero();
    assertThat(ScanPlan.of(request().setLimit(-1).build(), TABLET, List::of).limit()).isZero();
    assertThat(ScanPlan.of(request().setLimit(Long.MAX_VALUE).build(), TABLET, List::of).limit())
        .isEqualTo(Long.MAX_VALUE);
  }
}

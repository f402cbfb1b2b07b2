package dev.kudu4j.common.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.partition.PartitionSchema;
import dev.kudu4j.common.partition.RangeBounds;
import dev.kudu4j.common.partition.RangeText;
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
import dev.kudu4j.common.status.KuduException;
import java.util.List;
import org.junit.jupiter.api.Test;

class PartitionWireTest {
  private static final Schema TABLE =
      new Schema(
              List.of(
                  ColumnSchema.builder("id", DataType.INT32).key(true).build(),
                  ColumnSchema.builder("auto_incrementing_id", DataType.INT64)
                      .key(true)
                      .autoIncrementing(true)
                      .build(),
                  ColumnSchema.builder("v", DataType.STRING).nullable(true).build()))
          .withFreshIds();
  private static final Schema CLIENT =
      new Schema(
          List.of(
              ColumnSchema.builder("auto_incrementing_id", DataType.INT64).key(true).build(),
              ColumnSchema.builder("id", DataType.INT32).key(true).build()));

  @Test
  void absentRangeColumnsAreTheKeyWithoutItsAutoIncrementingColumn() {
    PartitionSchema schema = PartitionWire.fromWire(PartitionSchemaPB.getDefaultInstance(), TABLE);
    assertThat(schema.rangeColumnIds()).containsExactly(0);
    PartitionSchemaPB none =
        PartitionSchemaPB.newBuilder()
            .setRangeSchema(PartitionSchemaPB.RangeSchemaPB.getDefaultInstance())
            .build();
    assertThat(PartitionWire.fromWire(none, TABLE).rangeColumnIds()).isEmpty();
  }

  @Test
  void unknownColumnIsAnInvalidSchema() {
    PartitionSchemaPB.Builder pb = PartitionSchemaPB.newBuilder();
    pb.addHashSchemaBuilder().setNumBuckets(2).addColumnsBuilder().setName("nope");
    assertThatThrownBy(() -> PartitionWire.create(pb.build(), null, false, TABLE, 10))
        .isInstanceOf(SchemaException.class)
        .hasMessageContaining("nope");
  }

  @Test
  void autoIncrementingColumnCannotPartition() {
    PartitionSchemaPB.Builder pb = PartitionSchemaPB.newBuilder();
    pb.addHashSchemaBuilder().setNumBuckets(2).addColumnsBuilder().setName("auto_incrementing_id");
    assertThatThrownBy(() -> PartitionWire.create(pb.build(), null, false, TABLE, 10))
        .isInstanceOf(SchemaException.class);
  }

  @Test
  void autoIncrementingColumnMayBeARangeColumnIfItIsTheWholeKey() {
    PartitionSchemaPB.Builder pb = PartitionSchemaPB.newBuilder();
    pb.getRangeSchemaBuilder().addColumnsBuilder().setName("auto_incrementing_id");
    Schema alone = new Schema(TABLE.columns().subList(1, 3)).withFreshIds();
    assertThat(PartitionWire.create(pb.build(), null, false, alone, 10).partitions()).hasSize(1);
    assertThatThrownBy(() -> PartitionWire.create(pb.build(), null, false, TABLE, 10))
        .isInstanceOf(SchemaException.class);
  }

  @Test
  void tableMayBeginWithoutPartitionsOnlyWhenAllowed() {
    assertThat(PartitionWire.create(null, null, true, TABLE, 10).partitions()).isEmpty();
    assertThat(PartitionWire.create(null, null, false, TABLE, 10).partitions()).hasSize(1);
  }

  @Test
  void boundsOfAnAlterationAreInTheRequestsSchema() {
    PartitionSchema schema = PartitionWire.fromWire(PartitionSchemaPB.getDefaultInstance(), TABLE);
    RowOperationsWriter writer = new RowOperationsWriter(RowLayout.of(CLIENT));
    writer.begin(OperationType.RANGE_LOWER_BOUND).setInt(1, 5).end();
    RowOperationsPB half = RowOperationsWire.toWire(writer);
    writer.begin(OperationType.INCLUSIVE_RANGE_UPPER_BOUND).setInt(1, 9).end();
    RangeBounds bounds =
        PartitionWire.rangeBounds(RowOperationsWire.toWire(writer), CLIENT, schema, TABLE);
    assertThat(RangeText.of(bounds, schema, TABLE)).isEqualTo("5 <= VALUES < 10");

    assertThatThrownBy(() -> PartitionWire.rangeBounds(half, CLIENT, schema, TABLE))
        .isExactlyInstanceOf(KuduException.class);
    RowOperationsPB nothing = RowOperationsPB.getDefaultInstance();
    assertThatThrownBy(() -> PartitionWire.rangeBounds(nothing, CLIENT, schema, TABLE))
        .isExactlyInstanceOf(KuduException.class)
        .hasMessageContaining("expected two row operations");
    Schema other = new Schema(List.of(ColumnSchema.builder("x", DataType.INT8).build()));
    assertThatThrownBy(() -> PartitionWire.rangeBounds(nothing, other, schema, TABLE))
        .isExactlyInstanceOf(KuduException.class);
  }

  @Test
  void rowsInOneArrayAreReadWithoutACopy() {
    byte[] row = {1, 3, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    RowOperationsPB whole = RowOperationsPB.newBuilder().setRows(ByteString.copyFrom(row)).build();
    RowOperationsReader first = RowOperationsWire.fromWire(whole, RowLayout.of(CLIENT)).reader();
    RowOperationsReader second = RowOperationsWire.fromWire(whole, RowLayout.of(CLIENT)).reader();
    assertThat(first.next() && second.next()).isTrue();
    assertThat(first.cellArray(0)).isSameAs(second.cellArray(0));
    assertThat(first.cell(1)).containsExactly(9, 10, 11, 12);
  }

  @Test
  void rowsInSeveralBuffersAreRead() {
    byte[] row = {1, 3, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    ByteString many = ByteString.EMPTY;
    for (int i = 0; i < 50; i++) {
      many = many.concat(ByteString.copyFrom(row));
    }
    RowOperationsPB pb = RowOperationsPB.newBuilder().setRows(many).build();
    RowOperationsReader reader = RowOperationsWire.fromWire(pb, RowLayout.of(CLIENT)).reader();
    int rows = 0;
    while (reader.next()) {
      assertThat(reader.cell(1)).containsExactly(9, 10, 11, 12);
      rows++;
    }
    assertThat(rows).isEqualTo(50);
  }
}

package dev.kudu4j.master.service;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.common.ColumnSchemaDeltaPB;
import dev.kudu4j.common.proto.common.ColumnSchemaPB;
import dev.kudu4j.common.proto.common.DataType;
import dev.kudu4j.common.proto.common.PartitionSchemaPB;
import dev.kudu4j.common.proto.common.PartitionSchemaPB.ColumnIdentifierPB;
import dev.kudu4j.common.proto.common.PartitionSchemaPB.HashBucketSchemaPB;
import dev.kudu4j.common.proto.common.PartitionSchemaPB.RangeSchemaPB;
import dev.kudu4j.common.proto.common.RowOperationsPB;
import dev.kudu4j.common.proto.common.SchemaPB;
import dev.kudu4j.common.proto.master.AlterTableRequestPB;
import dev.kudu4j.common.proto.master.AlterTableRequestPB.Step;
import dev.kudu4j.common.proto.master.AlterTableRequestPB.StepType;
import dev.kudu4j.common.proto.master.CreateTableRequestPB;
import dev.kudu4j.common.proto.master.DeleteTableRequestPB;
import dev.kudu4j.common.proto.master.ReplaceTabletRequestPB;
import dev.kudu4j.common.proto.master.TableIdentifierPB;
import dev.kudu4j.common.row.OperationType;
import dev.kudu4j.common.row.RowLayout;
import dev.kudu4j.common.row.RowOperationsWriter;
import dev.kudu4j.common.wire.RowOperationsWire;
import dev.kudu4j.common.wire.SchemaWire;
import dev.kudu4j.master.catalog.Ids;

/** Requests of clients, for a table of {@code id INT32} (key) and {@code v INT32 NULLABLE}. */
final class Requests {
  static final SchemaPB SCHEMA =
      SchemaPB.newBuilder()
          .addColumns(
              ColumnSchemaPB.newBuilder().setName("id").setType(DataType.INT32).setIsKey(true))
          .addColumns(
              ColumnSchemaPB.newBuilder().setName("v").setType(DataType.INT32).setIsNullable(true))
          .build();

  private Requests() {}

  /** Hash buckets (none when 0) times ranges [b0, b1), [b2, b3) of id. */
  static CreateTableRequestPB.Builder create(
      String name, int replicas, int buckets, int... rangeBounds) {
    PartitionSchemaPB.Builder partitioning =
        PartitionSchemaPB.newBuilder()
            .setRangeSchema(
                RangeSchemaPB.newBuilder()
                    .addColumns(ColumnIdentifierPB.newBuilder().setName("id")));
    if (buckets > 0) {
      partitioning.addHashSchema(
          HashBucketSchemaPB.newBuilder()
              .setNumBuckets(buckets)
              .addColumns(ColumnIdentifierPB.newBuilder().setName("id")));
    }
    return CreateTableRequestPB.newBuilder()
        .setName(name)
        .setSchema(SCHEMA)
        .setNumReplicas(replicas)
        .setPartitionSchema(partitioning)
        .setSplitRowsRangeBounds(bounds(rangeBounds));
  }

  static RowOperationsPB bounds(int... values) {
    RowOperationsWriter writer = new RowOperationsWriter(RowLayout.of(SchemaWire.fromWire(SCHEMA)));
    for (int i = 0; i < values.length; i++) {
      OperationType type =
          i % 2 == 0 ? OperationType.RANGE_LOWER_BOUND : OperationType.RANGE_UPPER_BOUND;
      writer.begin(type).setInt(0, values[i]).end();
    }
    return RowOperationsWire.toWire(writer);
  }

  static TableIdentifierPB named(String name) {
    return TableIdentifierPB.newBuilder().setTableName(name).build();
  }

  static TableIdentifierPB withId(ByteString id) {
    return TableIdentifierPB.newBuilder().setTableId(id).build();
  }

  static ReplaceTabletRequestPB replace(String tabletId) {
    return ReplaceTabletRequestPB.newBuilder().setTabletId(Ids.toWire(tabletId)).build();
  }

  static AlterTableRequestPB.Builder alter(String name, Step... steps) {
    AlterTableRequestPB.Builder request =
        AlterTableRequestPB.newBuilder().setTable(named(name)).setSchema(SCHEMA);
    for (Step step : steps) {
      request.addAlterSchemaSteps(step);
    }
    return request;
  }

  static Step addColumn(String name) {
    return Step.newBuilder()
        .setType(StepType.ADD_COLUMN)
        .setAddColumn(
            AlterTableRequestPB.AddColumn.newBuilder()
                .setSchema(
                    ColumnSchemaPB.newBuilder()
                        .setName(name)
                        .setType(DataType.STRING)
                        .setIsNullable(true)))
        .build();
  }

  static Step dropColumn(String name) {
    return Step.newBuilder()
        .setType(StepType.DROP_COLUMN)
        .setDropColumn(AlterTableRequestPB.DropColumn.newBuilder().setName(name))
        .build();
  }

  static Step renameColumn(String from, String to) {
    return Step.newBuilder()
        .setType(StepType.RENAME_COLUMN)
        .setRenameColumn(
            AlterTableRequestPB.RenameColumn.newBuilder().setOldName(from).setNewName(to))
        .build();
  }

  static Step alterColumn(ColumnSchemaDeltaPB.Builder delta) {
    return Step.newBuilder()
        .setType(StepType.ALTER_COLUMN)
        .setAlterColumn(AlterTableRequestPB.AlterColumn.newBuilder().setDelta(delta))
        .build();
  }

  static Step addRange(int lower, int upper) {
    return Step.newBuilder()
        .setType(StepType.ADD_RANGE_PARTITION)
        .setAddRangePartition(
            AlterTableRequestPB.AddRangePartition.newBuilder().setRangeBounds(bounds(lower, upper)))
        .build();
  }

  static Step dropRange(int lower, int upper) {
    return Step.newBuilder()
        .setType(StepType.DROP_RANGE_PARTITION)
        .setDropRangePartition(
            AlterTableRequestPB.DropRangePartition.newBuilder()
                .setRangeBounds(bounds(lower, upper)))
        .build();
  }

  static DeleteTableRequestPB delete(String name) {
    return DeleteTableRequestPB.newBuilder().setTable(named(name)).build();
  }

  static DeleteTableRequestPB deleteSoftly(String name, int reserveSeconds) {
    return DeleteTableRequestPB.newBuilder()
        .setTable(named(name))
        .setReserveSeconds(reserveSeconds)
        .build();
  }
}

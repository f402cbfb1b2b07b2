package dev.kudu4j.tserver.write;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.common.partition.Partition;
import dev.kudu4j.common.partition.PartitionSchema;
import dev.kudu4j.common.row.OperationType;
import dev.kudu4j.common.row.RowLayout;
import dev.kudu4j.common.row.RowOperationsWriter;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.wire.SchemaWire;
import dev.kudu4j.tserver.tablets.WriteSchema;
import java.util.List;
import org.junit.jupiter.api.Test;

class RowCheckTest {
  private static final Schema CLIENT =
      new Schema(
          List.of(
              ColumnSchema.builder("a", DataType.INT8).key(true).build(),
              ColumnSchema.builder("b", DataType.INT8).key(true).build()));

  /** The tablet's second key column, its range column, has a default, so clients may omit it. */
  private static final Schema TABLET =
      new Schema(
          List.of(
              CLIENT.column(0).toBuilder().id(0).build(),
              CLIENT.column(1).toBuilder().id(1).writeDefault(new byte[] {7}).build()));

  private static void check(OperationType type, int column, int fromB, int toB) {
    RowOperationsWriter rows = new RowOperationsWriter(RowLayout.of(CLIENT));
    rows.begin(type).setByte(column, (byte) 1).end();
    check(
        rows,
        CLIENT,
        TABLET,
        1,
        new Partition(
            new int[0], new byte[] {(byte) (fromB ^ 0x80)}, new byte[] {(byte) (toB ^ 0x80)}));
  }

  private static void check(
      RowOperationsWriter rows,
      Schema client,
      Schema tablet,
      int rangeColumn,
      Partition partition) {
    RowCheck.all(
        rows.packed(),
        WriteSchema.match(SchemaWire.toWire(client, false), tablet),
        new PartitionSchema(List.of(), List.of(rangeColumn), List.of()),
        partition,
        new WriteLimits(10, 1_000));
  }

  @Test
  void anUnsetRangeColumnHasItsDefault() {
    check(OperationType.INSERT, 0, 5, 10);
    check(OperationType.UPSERT_IGNORE, 0, 5, 10);
    assertThatThrownBy(() -> check(OperationType.INSERT, 0, 10, 20))
        .hasMessageContaining("Row not in tablet partition");
  }

  @Test
  void aRowWithoutItsNumberBelongsToTheLowestRange() {
    Schema client =
        new Schema(
            List.of(
                ColumnSchema.builder("auto_incrementing_id", DataType.INT64)
                    .key(true)
                    .autoIncrementing(true)
                    .build(),
                ColumnSchema.builder("v", DataType.INT8).build()));
    RowOperationsWriter rows = new RowOperationsWriter(RowLayout.of(client));
    rows.begin(OperationType.INSERT).setByte(1, (byte) 1).end();
    byte[] zero = {(byte) 0x80, 0, 0, 0, 0, 0, 0, 0};
    check(rows, client, client.withFreshIds(), 0, new Partition(new int[0], new byte[0], zero));
    assertThatThrownBy(
            () ->
                check(
                    rows,
                    client,
                    client.withFreshIds(),
                    0,
                    new Partition(new int[0], zero, new byte[0])))
        .hasMessageContaining("Row not in tablet partition");
  }

  @Test
  void onlyInsertsGetDefaults() {
    assertThatThrownBy(() -> check(OperationType.DELETE, 0, 5, 10))
        .hasMessageContaining("A key column has no value in row 0");
  }
}

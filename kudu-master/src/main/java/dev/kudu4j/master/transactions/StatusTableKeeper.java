package dev.kudu4j.master.transactions;

import dev.kudu4j.common.proto.common.PartitionSchemaPB;
import dev.kudu4j.common.proto.common.RowOperationsPB;
import dev.kudu4j.common.proto.common.TableTypePB;
import dev.kudu4j.common.proto.master.AlterTableRequestPB;
import dev.kudu4j.common.proto.master.CreateTableRequestPB;
import dev.kudu4j.common.proto.master.TableIdentifierPB;
import dev.kudu4j.common.row.OperationType;
import dev.kudu4j.common.row.RowLayout;
import dev.kudu4j.common.row.RowOperationsWriter;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.common.transaction.StatusTable;
import dev.kudu4j.common.wire.RowOperationsWire;
import dev.kudu4j.common.wire.SchemaWire;
import dev.kudu4j.master.catalog.TableInfo;
import dev.kudu4j.master.heartbeat.ServerRegistry;
import dev.kudu4j.master.service.LeaderSession;
import dev.kudu4j.master.service.MasterLeadership;
import java.util.function.IntSupplier;

/** Creates the table of transactions, and adds tablets to it when ids run out. Thread-safe. */
public final class StatusTableKeeper {
  private static final String OWNER = "kudu";

  private final MasterLeadership leadership;
  private final ServerRegistry servers;
  private final IntSupplier replicas;
  private final long span;

  /**
   * @param replicas present value of the wanted number of replicas
   * @param span number of ids of a tablet
   */
  public StatusTableKeeper(
      MasterLeadership leadership, ServerRegistry servers, IntSupplier replicas, long span) {
    this.leadership = leadership;
    this.servers = servers;
    this.replicas = replicas;
    this.span = span;
  }

  /**
   * Makes sure that the table exists and has a tablet for the id. It may still be in creation when
   * the method returns.
   *
   * @throws KuduException if this master does not lead, or if there are not enough tablet servers
   */
  public synchronized void ensure(long id) {
    LeaderSession session = leadership.session();
    TableInfo table = session.catalog().tableByName(StatusTable.NAME);
    try {
      if (table == null) {
        session.tables().createStatusTable(creation(id));
      } else if (lastEnd(table) <= id) {
        session.tables().extendStatusTable(extension(table, id));
      }
    } catch (KuduException e) {
      if (e.code() != StatusCode.ALREADY_PRESENT) { // an earlier call did it
        throw e;
      }
    }
  }

  private static long lastEnd(TableInfo table) {
    byte[] end =
        table
            .tablets()
            .get(table.tablets().size() - 1)
            .partition()
            .getPartitionKeyEnd()
            .toByteArray();
    return StatusTable.transaction(end, Long.MAX_VALUE);
  }

  private CreateTableRequestPB creation(long id) {
    return CreateTableRequestPB.newBuilder()
        .setName(StatusTable.NAME)
        .setTableType(TableTypePB.TXN_STATUS_TABLE)
        .setSchema(SchemaWire.toWire(StatusTable.SCHEMA, false))
        .setPartitionSchema(
            PartitionSchemaPB.newBuilder()
                .setRangeSchema(
                    PartitionSchemaPB.RangeSchemaPB.newBuilder()
                        .addColumns(
                            PartitionSchemaPB.ColumnIdentifierPB.newBuilder().setName("txn_id"))))
        .setSplitRowsRangeBounds(bounds(0, endOfRange(id)))
        .setNumReplicas(replicas())
        .setOwner(OWNER)
        .setComment("The states of transactions, and the tablets that take part in them.")
        .build();
  }

  /** The wanted number of replicas; an odd number of servers if there are too few. */
  private int replicas() {
    int live = servers.live().size();
    int possible = live % 2 == 0 ? live - 1 : live;
    return Math.max(1, Math.min(replicas.getAsInt(), possible));
  }

  private AlterTableRequestPB extension(TableInfo table, long id) {
    return AlterTableRequestPB.newBuilder()
        .setTable(TableIdentifierPB.newBuilder().setTableName(StatusTable.NAME))
        .setSchema(SchemaWire.toWire(StatusTable.SCHEMA, false))
        .addAlterSchemaSteps(
            AlterTableRequestPB.Step.newBuilder()
                .setType(AlterTableRequestPB.StepType.ADD_RANGE_PARTITION)
                .setAddRangePartition(
                    AlterTableRequestPB.AddRangePartition.newBuilder()
                        .setRangeBounds(bounds(lastEnd(table), endOfRange(id)))))
        .build();
  }

  private long endOfRange(long id) {
    return (id / span + 1) * span;
  }

  private static RowOperationsPB bounds(long first, long end) {
    RowOperationsWriter rows = new RowOperationsWriter(RowLayout.of(StatusTable.SCHEMA));
    rows.begin(OperationType.RANGE_LOWER_BOUND).setLong(StatusTable.TXN_ID, first).end();
    rows.begin(OperationType.RANGE_UPPER_BOUND).setLong(StatusTable.TXN_ID, end).end();
    return RowOperationsWire.toWire(rows);
  }
}

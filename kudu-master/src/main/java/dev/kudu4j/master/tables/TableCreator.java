package dev.kudu4j.master.tables;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.partition.Partition;
import dev.kudu4j.common.partition.TablePartitions;
import dev.kudu4j.common.proto.master.CreateTableRequestPB;
import dev.kudu4j.common.proto.master.MasterErrorPB;
import dev.kudu4j.common.proto.master.SysTablesEntryPB;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.schema.SchemaException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.common.time.TimeSource;
import dev.kudu4j.common.wire.PartitionWire;
import dev.kudu4j.common.wire.SchemaRules;
import dev.kudu4j.common.wire.SchemaWire;
import dev.kudu4j.master.catalog.Catalog;
import dev.kudu4j.master.catalog.CatalogEdit;
import dev.kudu4j.master.catalog.Ids;
import dev.kudu4j.master.catalog.TableInfo;
import dev.kudu4j.master.failure.MasterException;
import dev.kudu4j.master.heartbeat.RegisteredServer;
import dev.kudu4j.master.heartbeat.ServerRegistry;
import dev.kudu4j.master.placement.ReplicaPlacer;
import dev.kudu4j.master.proto.catalog.TableEntryPB;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Creates tables: checks the request, chooses the servers, and records the table and its tablets
 * together. The table exists from then on; the replicas are created later.
 */
final class TableCreator {
  private final Catalog catalog;
  private final ServerRegistry servers;
  private final ReplicationRules replication;
  private final RandomGenerator random;
  private final TimeSource time;
  private final TabletRecords records;

  TableCreator(
      Catalog catalog,
      ServerRegistry servers,
      ReplicationRules replication,
      RandomGenerator random,
      TimeSource time,
      TabletRecords records) {
    this.catalog = catalog;
    this.servers = servers;
    this.replication = replication;
    this.random = random;
    this.time = time;
    this.records = records;
  }

  /** A checked request. */
  private record Plan(TableEntryPB entry, List<Partition> partitions) {}

  /**
   * Records a new table.
   *
   * @param user owns the table unless the request names an owner
   * @throws MasterException for an invalid request, with the code that clients of Apache Kudu
   *     expect
   */
  TableChange create(CreateTableRequestPB request, String user) {
    Optional<String> created = RequestKeys.find(catalog, request.getRequestKey());
    return created.isPresent() ? TableChange.none(created.get()) : createNew(request, user);
  }

  private TableChange createNew(CreateTableRequestPB request, String user) {
    Plan plan = plan(request, user, servers.live().size());
    List<RegisteredServer> candidates =
        new ServerPool(catalog, servers).forTablet(plan.entry().getNumReplicas());
    return catalog.change(
        edit ->
            RequestKeys.find(catalog, request.getRequestKey())
                .map(TableChange::none)
                .orElseGet(
                    () -> {
                      checkNameIsFree(request.getName());
                      return record(edit, plan, new ReplicaPlacer(candidates, random));
                    }));
  }

  private Plan plan(CreateTableRequestPB request, String user, int liveServers) {
    String owner = request.hasOwner() ? request.getOwner() : user;
    SchemaRules.checkIdentifier("table name", request.getNameBytes());
    SchemaRules.checkOwner(ByteString.copyFromUtf8(owner));
    SchemaRules.checkComment(request.getCommentBytes());
    Schema schema = SchemaRules.newTable(request.getSchema());
    int replicas =
        request.hasNumReplicas() ? request.getNumReplicas() : replication.byDefault().getAsInt();
    replication.check("create", replicas, liveServers);
    TablePartitions partitions = partitions(request, schema, replicas, liveServers);
    replication.checkTotal(
        catalog.replicas(), (long) partitions.partitions().size() * replicas, liveServers);
    TableEntryPB.Builder entry =
        TableEntryPB.newBuilder()
            .setVersion(Catalog.RECORD_VERSION)
            .setName(request.getName())
            .setState(SysTablesEntryPB.State.RUNNING)
            .setSchema(SchemaWire.toWire(schema, true))
            .setSchemaVersion(0)
            .setNextColumnId(schema.columnCount())
            .setPartitioning(PartitioningRecord.write(partitions.schema()))
            .setNumReplicas(replicas)
            .setOwner(owner)
            .setComment(request.getComment())
            .putAllExtraConfigs(ExtraConfigs.merge(Map.of(), request.getExtraConfigsMap()))
            .setTableType(request.getTableType())
            .setAllowEmptyPartition(request.getAllowEmptyPartition())
            .setCreateTimeMicros(time.nowMicros())
            .setGeneration(0);
    if (request.hasDimensionLabel()) {
      entry.setDimensionLabel(request.getDimensionLabel());
    }
    IndexSteps.apply(entry, request.getExtraConfigsMap(), List.of(), entry.getSchema(), partitions);
    IndexSteps.enforceAll(entry);
    return new Plan(
        RequestKeys.note(entry.build(), request.getRequestKey()), partitions.partitions());
  }

  private TablePartitions partitions(
      CreateTableRequestPB request, Schema schema, int replicas, int liveServers) {
    try {
      return PartitionWire.create(
          request.hasPartitionSchema() ? request.getPartitionSchema() : null,
          request.hasSplitRowsRangeBounds() ? request.getSplitRowsRangeBounds() : null,
          request.getAllowEmptyPartition(),
          schema,
          replication.maxTablets(replicas, liveServers));
    } catch (SchemaException e) {
      throw e.reason() == SchemaException.Reason.TOO_MANY_TABLETS
          ? replication.tooManyTablets(replicas, liveServers)
          : e;
    }
  }

  /**
   * Records the table of an index.
   *
   * @param entry with everything that is the index's own
   */
  TableChange createIndexTable(TableEntryPB.Builder entry, TablePartitions partitions) {
    replication.checkTotal(
        catalog.replicas(),
        (long) partitions.partitions().size() * entry.getNumReplicas(),
        servers.live().size());
    Plan plan =
        new Plan(
            entry
                .setVersion(Catalog.RECORD_VERSION)
                .setState(SysTablesEntryPB.State.RUNNING)
                .setSchemaVersion(0)
                .setCreateTimeMicros(time.nowMicros())
                .setGeneration(0)
                .build(),
            partitions.partitions());
    List<RegisteredServer> candidates =
        new ServerPool(catalog, servers).forTablet(entry.getNumReplicas());
    return catalog.change(
        edit -> {
          checkNameIsFree(entry.getName());
          return record(edit, plan, new ReplicaPlacer(candidates, random));
        });
  }

  /**
   * Rejects the name of an existing table, including soft-deleted ones: a recalled table must have
   * its old name.
   */
  private void checkNameIsFree(String name) {
    TableInfo existing = catalog.tableByName(name);
    if (existing != null) {
      throw MasterException.of(
          MasterErrorPB.Code.TABLE_ALREADY_PRESENT,
          StatusCode.ALREADY_PRESENT,
          "table %s already exists with id %s",
          name,
          existing.id());
    }
  }

  private TableChange record(CatalogEdit edit, Plan plan, ReplicaPlacer placer) {
    String tableId = Ids.random(random);
    for (Partition partition : plan.partitions()) {
      records.add(
          edit,
          tableId,
          plan.entry().getGeneration(),
          plan.entry().getSchemaVersion(),
          PartitionWire.toWire(partition),
          plan.entry().getDimensionLabel(),
          placer.place(plan.entry().getNumReplicas()));
    }
    placer.commit();
    edit.putTable(tableId, plan.entry());
    return TableChange.of(
        tableId,
        "Table %s (id=%s) created: tablets=%d, replicas of each=%d",
        plan.entry().getName(),
        tableId,
        plan.partitions().size(),
        plan.entry().getNumReplicas());
  }
}

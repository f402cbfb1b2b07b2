package dev.kudu4j.client;

import com.google.protobuf.ByteString;
import dev.kudu4j.Schema;
import dev.kudu4j.client.cluster.Cluster;
import dev.kudu4j.client.cluster.Deadline;
import dev.kudu4j.client.cluster.Failures;
import dev.kudu4j.client.cluster.MasterCall;
import dev.kudu4j.client.cluster.MasterFailure;
import dev.kudu4j.client.index.IndexSource;
import dev.kudu4j.common.partition.PartitionSchema;
import dev.kudu4j.common.proto.common.ColumnSchemaPB;
import dev.kudu4j.common.proto.master.AlterTableRequestPB;
import dev.kudu4j.common.proto.master.AlterTableResponsePB;
import dev.kudu4j.common.proto.master.ColumnStatisticsPB;
import dev.kudu4j.common.proto.master.CreateTableRequestPB;
import dev.kudu4j.common.proto.master.CreateTableResponsePB;
import dev.kudu4j.common.proto.master.DeleteTableRequestPB;
import dev.kudu4j.common.proto.master.DeleteTableResponsePB;
import dev.kudu4j.common.proto.master.GetIndexProgressRequestPB;
import dev.kudu4j.common.proto.master.GetIndexProgressResponsePB;
import dev.kudu4j.common.proto.master.GetTableSchemaRequestPB;
import dev.kudu4j.common.proto.master.GetTableSchemaResponsePB;
import dev.kudu4j.common.proto.master.GetTableStatisticsRequestPB;
import dev.kudu4j.common.proto.master.GetTableStatisticsResponsePB;
import dev.kudu4j.common.proto.master.IsAlterTableDoneRequestPB;
import dev.kudu4j.common.proto.master.IsAlterTableDoneResponsePB;
import dev.kudu4j.common.proto.master.IsCreateTableDoneRequestPB;
import dev.kudu4j.common.proto.master.IsCreateTableDoneResponsePB;
import dev.kudu4j.common.proto.master.ListTablesRequestPB;
import dev.kudu4j.common.proto.master.ListTablesResponsePB;
import dev.kudu4j.common.proto.master.ListTabletServersRequestPB;
import dev.kudu4j.common.proto.master.ListTabletServersResponsePB;
import dev.kudu4j.common.proto.master.MasterErrorPB;
import dev.kudu4j.common.proto.master.MasterFeatures;
import dev.kudu4j.common.proto.master.PingRequestPB;
import dev.kudu4j.common.proto.master.PingResponsePB;
import dev.kudu4j.common.proto.master.RecallDeletedTableRequestPB;
import dev.kudu4j.common.proto.master.RecallDeletedTableResponsePB;
import dev.kudu4j.common.proto.master.SetColumnStatisticsRequestPB;
import dev.kudu4j.common.proto.master.SetColumnStatisticsResponsePB;
import dev.kudu4j.common.proto.master.TableIdentifierPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.common.wire.PartitionWire;
import dev.kudu4j.common.wire.SchemaWire;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Administrative requests to the master: creates, alters, deletes, lists and opens tables. Futures
 * fail as those of {@link Cluster#callMaster} do.
 */
final class TableAdmin {
  private static final int LONGEST_POLL_MILLIS = 256;

  private static final MasterCall<CreateTableResponsePB> CREATE =
      MasterCall.of("CreateTable", CreateTableResponsePB.parser(), CreateTableResponsePB::getError);
  private static final MasterCall<IsCreateTableDoneResponsePB> IS_CREATE_DONE =
      MasterCall.of(
          "IsCreateTableDone",
          IsCreateTableDoneResponsePB.parser(),
          IsCreateTableDoneResponsePB::getError);
  private static final MasterCall<AlterTableResponsePB> ALTER =
      MasterCall.of("AlterTable", AlterTableResponsePB.parser(), AlterTableResponsePB::getError);
  private static final MasterCall<IsAlterTableDoneResponsePB> IS_ALTER_DONE =
      MasterCall.of(
          "IsAlterTableDone",
          IsAlterTableDoneResponsePB.parser(),
          IsAlterTableDoneResponsePB::getError);
  private static final MasterCall<DeleteTableResponsePB> DELETE =
      MasterCall.of("DeleteTable", DeleteTableResponsePB.parser(), DeleteTableResponsePB::getError);
  private static final MasterCall<RecallDeletedTableResponsePB> RECALL =
      MasterCall.of(
          "RecallDeletedTable",
          RecallDeletedTableResponsePB.parser(),
          RecallDeletedTableResponsePB::getError);
  private static final MasterCall<GetTableSchemaResponsePB> GET_SCHEMA =
      MasterCall.of(
          "GetTableSchema", GetTableSchemaResponsePB.parser(), GetTableSchemaResponsePB::getError);
  private static final MasterCall<GetTableStatisticsResponsePB> GET_STATISTICS =
      MasterCall.of(
          "GetTableStatistics",
          GetTableStatisticsResponsePB.parser(),
          GetTableStatisticsResponsePB::getError);
  private static final MasterCall<SetColumnStatisticsResponsePB> SET_COLUMN_STATISTICS =
      MasterCall.of(
              "SetColumnStatistics",
              SetColumnStatisticsResponsePB.parser(),
              SetColumnStatisticsResponsePB::getError)
          .requiring(List.of(MasterFeatures.COLUMN_STATISTICS_VALUE));
  private static final MasterCall<GetIndexProgressResponsePB> GET_INDEX_PROGRESS =
      MasterCall.of(
              "GetIndexProgress",
              GetIndexProgressResponsePB.parser(),
              GetIndexProgressResponsePB::getError)
          .requiring(List.of(MasterFeatures.INDEXES_VALUE));
  private static final MasterCall<ListTablesResponsePB> LIST_TABLES =
      MasterCall.of("ListTables", ListTablesResponsePB.parser(), ListTablesResponsePB::getError);
  private static final MasterCall<ListTabletServersResponsePB> LIST_SERVERS =
      MasterCall.of(
          "ListTabletServers",
          ListTabletServersResponsePB.parser(),
          ListTabletServersResponsePB::getError);
  private static final MasterCall<PingResponsePB> PING_FOR_IGNORE_OPERATIONS =
      MasterCall.of("Ping", PingResponsePB.parser(), pong -> MasterErrorPB.getDefaultInstance())
          .requiring(List.of(MasterFeatures.IGNORE_OPERATIONS_VALUE));

  private final AsyncKuduClient client;
  private final Cluster cluster;

  TableAdmin(AsyncKuduClient client, Cluster cluster) {
    this.client = client;
    this.cluster = cluster;
  }

  /** A unique key for one change of a table. All retries of the change carry the same key. */
  private static ByteString newKey() {
    byte[] key = new byte[16];
    ThreadLocalRandom.current().nextBytes(key);
    return ByteString.copyFrom(key);
  }

  static TableIdentifierPB named(String name) {
    return TableIdentifierPB.newBuilder().setTableName(name).build();
  }

  static TableIdentifierPB withId(String id) {
    return TableIdentifierPB.newBuilder().setTableId(ByteString.copyFromUtf8(id)).build();
  }

  CompletableFuture<KuduTable> create(
      String name, Schema schema, CreateTableOptions options, Deadline deadline) {
    CreateTableRequestPB request =
        options.toRequest(name, schema).toBuilder().setRequestKey(newKey()).build();
    return cluster
        .callMaster(CREATE.requiring(options.requiredFeatures(schema)), request, deadline)
        .exceptionallyCompose(
            failure -> UnsupportedColumns.explained(failure, request.getSchema().getColumnsList()))
        .thenApply(response -> withId(response.getTableId().toStringUtf8()))
        .exceptionallyCompose(failure -> adoptIfCreatedByRetry(failure, name, schema, deadline))
        .thenCompose(
            table ->
                (options.shouldWait() ? awaitCreated(table, deadline) : done())
                    .thenCompose(done -> open(table, deadline)));
  }

  /**
   * Handles "already present" after an interrupted attempt: if the table has the requested columns,
   * the interrupted attempt created it. A Kudu4j master recognizes a retry by the request's key;
   * this method handles other masters.
   */
  private CompletableFuture<TableIdentifierPB> adoptIfCreatedByRetry(
      Throwable failure, String name, Schema schema, Deadline deadline) {
    if (Failures.unwrap(failure) instanceof MasterFailure refused
        && refused.afterBrokenTry()
        && refused.error() == MasterErrorPB.Code.TABLE_ALREADY_PRESENT) {
      return open(named(name), deadline)
          .thenApply(
              table -> {
                if (!sameColumns(table.getSchema(), schema)) {
                  throw refused;
                }
                return withId(table.getTableId());
              });
    }
    return CompletableFuture.failedFuture(failure);
  }

  private static boolean sameColumns(Schema one, Schema other) {
    return one.getColumns().stream()
        .map(Object::toString)
        .toList()
        .equals(other.getColumns().stream().map(Object::toString).toList());
  }

  private static CompletableFuture<Void> done() {
    return CompletableFuture.completedFuture(null);
  }

  private CompletableFuture<Void> awaitCreated(TableIdentifierPB table, Deadline deadline) {
    return poll(() -> isCreateDone(table, deadline), 0, deadline, "created");
  }

  CompletableFuture<Boolean> isCreateDone(TableIdentifierPB table, Deadline deadline) {
    return cluster
        .callMaster(
            IS_CREATE_DONE,
            IsCreateTableDoneRequestPB.newBuilder().setTable(table).build(),
            deadline)
        .thenApply(IsCreateTableDoneResponsePB::getDone);
  }

  /** Polls with growing delays until the answer is yes. */
  private CompletableFuture<Void> poll(
      Supplier<CompletableFuture<Boolean>> question, int asked, Deadline deadline, String what) {
    return question
        .get()
        .thenCompose(
            done -> {
              if (done) {
                return done();
              }
              if (deadline.hasPassed()) {
                return CompletableFuture.failedFuture(
                    KuduException.timedOut(
                        "The table is not yet %s after %d polls; the operation may complete later",
                        what, asked + 1));
              }
              return later(1L << Math.min(asked, 20))
                  .thenCompose(now -> poll(question, asked + 1, deadline, what));
            });
  }

  private CompletableFuture<Void> later(long maxMillis) {
    long max = Math.max(4, Math.min(LONGEST_POLL_MILLIS, maxMillis));
    long millis = max / 2 + ThreadLocalRandom.current().nextLong(max / 2 + 1);
    return cluster.after(millis);
  }

  CompletableFuture<KuduTable> open(TableIdentifierPB table, Deadline deadline) {
    return cluster
        .callMaster(
            GET_SCHEMA, GetTableSchemaRequestPB.newBuilder().setTable(table).build(), deadline)
        .thenApply(this::table)
        .thenCompose(opened -> opened.globalIndexes().load().thenApply(done -> opened));
  }

  /** The global indexes of a table that are ready. */
  CompletableFuture<List<IndexSource>> openIndexes(String table, Deadline deadline) {
    return indexProgress(named(table), deadline)
        .thenCompose(
            indexes -> {
              CompletableFuture<List<IndexSource>> all =
                  CompletableFuture.completedFuture(new ArrayList<>());
              for (KuduIndexProgress index : indexes) {
                if (index.state() == KuduIndexProgress.State.READY) {
                  all = all.thenCombine(openIndex(table, index.name(), deadline), TableAdmin::add);
                }
              }
              return all;
            });
  }

  /** The table of an index; null if it has none, because it is local. */
  private CompletableFuture<IndexSource> openIndex(String table, String index, Deadline deadline) {
    return cluster
        .callMaster(
            GET_SCHEMA,
            GetTableSchemaRequestPB.newBuilder()
                .setTable(named(GlobalIndexes.tableName(table, index)))
                .build(),
            deadline)
        .handle((found, failure) -> failure == null ? table(found).asIndex(index) : null);
  }

  private static List<IndexSource> add(List<IndexSource> all, IndexSource index) {
    if (index != null) {
      all.add(index);
    }
    return all;
  }

  private KuduTable table(GetTableSchemaResponsePB response) {
    cluster.tabletsOf(response.getTableId().toStringUtf8()).forgetGaps();
    Schema schema = Schema.of(SchemaWire.fromWire(response.getSchema()));
    PartitionSchema partitions =
        PartitionWire.fromWire(response.getPartitionSchema(), schema.toCommon());
    return new KuduTable(
        client,
        response.getTableId().toStringUtf8(),
        response.getTableName(),
        schema,
        partitions,
        new KuduTable.Properties(
            response.getNumReplicas(),
            response.getExtraConfigsMap(),
            response.getOwner(),
            response.getComment()));
  }

  CompletableFuture<String> alter(String name, AlterTableOptions options, Deadline deadline) {
    AlterTableRequestPB request =
        options.toRequest(name).toBuilder().setRequestKey(newKey()).build();
    return cluster
        .callMaster(ALTER.requiring(options.requiredFeatures()), request, deadline)
        .exceptionallyCompose(failure -> UnsupportedColumns.explained(failure, added(request)))
        .thenApply(response -> response.getTableId().toStringUtf8())
        .thenCompose(
            id ->
                (options.shouldWait() ? awaitAltered(withId(id), deadline) : done())
                    .thenApply(
                        done -> {
                          if (options.changesRanges()) {
                            cluster.tabletsOf(id).forgetAll();
                          }
                          return id;
                        }));
  }

  private static List<ColumnSchemaPB> added(AlterTableRequestPB request) {
    return request.getAlterSchemaStepsList().stream()
        .filter(AlterTableRequestPB.Step::hasAddColumn)
        .map(step -> step.getAddColumn().getSchema())
        .toList();
  }

  private CompletableFuture<Void> awaitAltered(TableIdentifierPB table, Deadline deadline) {
    return poll(() -> isAlterDone(table, deadline), 0, deadline, "altered");
  }

  CompletableFuture<Boolean> isAlterDone(TableIdentifierPB table, Deadline deadline) {
    return cluster
        .callMaster(
            IS_ALTER_DONE, IsAlterTableDoneRequestPB.newBuilder().setTable(table).build(), deadline)
        .thenApply(IsAlterTableDoneResponsePB::getDone);
  }

  /**
   * @param reserveSeconds negative for the master's default
   */
  CompletableFuture<Void> delete(String name, int reserveSeconds, Deadline deadline) {
    DeleteTableRequestPB.Builder request =
        DeleteTableRequestPB.newBuilder().setTable(named(name)).setRequestKey(newKey());
    if (reserveSeconds >= 0) {
      request.setReserveSeconds(reserveSeconds);
    }
    return cluster
        .callMaster(DELETE, request.build(), deadline)
        .<Void>thenApply(response -> null)
        .exceptionallyCompose(TableAdmin::unlessDeletedBefore);
  }

  /** Succeeds on "not found" after an interrupted attempt: that attempt deleted the table. */
  private static CompletableFuture<Void> unlessDeletedBefore(Throwable failure) {
    boolean deleted =
        Failures.unwrap(failure) instanceof MasterFailure refused
            && refused.afterBrokenTry()
            && refused.error() == MasterErrorPB.Code.TABLE_NOT_FOUND;
    return deleted ? done() : CompletableFuture.failedFuture(failure);
  }

  /**
   * @param newName null to keep the name
   */
  CompletableFuture<Void> recall(String id, String newName, Deadline deadline) {
    RecallDeletedTableRequestPB.Builder request =
        RecallDeletedTableRequestPB.newBuilder().setTable(withId(id)).setRequestKey(newKey());
    if (newName != null) {
      request.setNewTableName(newName);
    }
    return cluster.callMaster(RECALL, request.build(), deadline).thenApply(response -> null);
  }

  CompletableFuture<Boolean> exists(String name, Deadline deadline) {
    return cluster
        .callMaster(
            GET_SCHEMA,
            GetTableSchemaRequestPB.newBuilder().setTable(named(name)).build(),
            deadline)
        .thenApply(response -> true)
        .exceptionallyCompose(
            failure ->
                Failures.unwrap(failure) instanceof MasterFailure refused
                        && refused.error() == MasterErrorPB.Code.TABLE_NOT_FOUND
                    ? CompletableFuture.completedFuture(false)
                    : CompletableFuture.failedFuture(failure));
  }

  /**
   * @param filter text that names must contain; null for all
   */
  CompletableFuture<List<ListTablesResponse.TableInfo>> list(
      String filter, boolean softDeleted, Deadline deadline) {
    ListTablesRequestPB.Builder request =
        ListTablesRequestPB.newBuilder().setShowSoftDeleted(softDeleted);
    if (filter != null) {
      request.setNameFilter(filter);
    }
    return cluster
        .callMaster(LIST_TABLES, request.build(), deadline)
        .thenApply(
            response ->
                response.getTablesList().stream()
                    .map(
                        table ->
                            new ListTablesResponse.TableInfo(
                                table.getId().toStringUtf8(), table.getName()))
                    .toList());
  }

  /** The hosts of all tablet servers. */
  CompletableFuture<List<String>> tabletServers(Deadline deadline) {
    Function<ListTabletServersResponsePB.Entry, String> host =
        server -> server.getRegistration().getRpcAddresses(0).getHost();
    return cluster
        .callMaster(LIST_SERVERS, ListTabletServersRequestPB.getDefaultInstance(), deadline)
        .thenApply(
            response ->
                response.getServersList().stream()
                    .filter(server -> server.getRegistration().getRpcAddressesCount() > 0)
                    .map(host)
                    .toList());
  }

  CompletableFuture<KuduTableStatistics> statistics(TableIdentifierPB table, Deadline deadline) {
    return cluster
        .callMaster(
            GET_STATISTICS,
            GetTableStatisticsRequestPB.newBuilder().setTable(table).setWithColumns(true).build(),
            deadline)
        .thenApply(
            response ->
                new KuduTableStatistics(
                    response.getOnDiskSize(),
                    response.getLiveRowCount(),
                    ColumnStatisticsWire.fromWire(response)));
  }

  /** Fails with NOT_SUPPORTED if the master cannot keep statistics of columns. */
  CompletableFuture<Void> setColumnStatistics(
      TableIdentifierPB table, List<ColumnStatisticsPB> columns, Deadline deadline) {
    return cluster
        .callMaster(
            SET_COLUMN_STATISTICS,
            SetColumnStatisticsRequestPB.newBuilder()
                .setTable(table)
                .addAllColumns(columns)
                .build(),
            deadline)
        .thenApply(response -> null);
  }

  /** Fails with NOT_SUPPORTED if the master does not know the progress of indexes. */
  CompletableFuture<List<KuduIndexProgress>> indexProgress(
      TableIdentifierPB table, Deadline deadline) {
    return cluster
        .callMaster(
            GET_INDEX_PROGRESS,
            GetIndexProgressRequestPB.newBuilder().setTable(table).build(),
            deadline)
        .thenApply(
            response -> response.getIndexesList().stream().map(TableAdmin::fromWire).toList());
  }

  private static KuduIndexProgress fromWire(GetIndexProgressResponsePB.IndexStatePB index) {
    return new KuduIndexProgress(
        index.getName(),
        index.getIndexId(),
        switch (index.getState()) {
          case READY -> KuduIndexProgress.State.READY;
          case CHECKING -> KuduIndexProgress.State.CHECKING;
          case FAILED -> KuduIndexProgress.State.FAILED;
          case BUILDING, UNKNOWN_STATE -> KuduIndexProgress.State.BUILDING;
        },
        index.getDuplicates(),
        index.getTabletsList().stream()
            .map(
                tablet ->
                    new KuduIndexProgress.Tablet(
                        tablet.getTabletId().toStringUtf8(),
                        tablet.getReplicas(),
                        tablet.getBuiltReplicas(),
                        tablet.getRowsets(),
                        tablet.getBuiltRowsets(),
                        tablet.getRows(),
                        tablet.getBuiltRows()))
            .toList());
  }

  CompletableFuture<Boolean> supportsIgnoreOperations(Deadline deadline) {
    return cluster
        .callMaster(PING_FOR_IGNORE_OPERATIONS, PingRequestPB.getDefaultInstance(), deadline)
        .thenApply(pong -> true)
        .exceptionallyCompose(
            failure ->
                Failures.unwrap(failure) instanceof KuduException refused
                        && refused.code() == StatusCode.NOT_SUPPORTED
                    ? CompletableFuture.completedFuture(false)
                    : CompletableFuture.failedFuture(failure));
  }
}

package dev.kudu4j.master.service;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import dev.kudu4j.common.proto.cluster.TSHeartbeatRequestPB;
import dev.kudu4j.common.proto.cluster.TSHeartbeatResponsePB;
import dev.kudu4j.common.proto.master.AddMasterRequestPB;
import dev.kudu4j.common.proto.master.AddMasterResponsePB;
import dev.kudu4j.common.proto.master.AlterTableRequestPB;
import dev.kudu4j.common.proto.master.AlterTableResponsePB;
import dev.kudu4j.common.proto.master.ChangeTServerStateRequestPB;
import dev.kudu4j.common.proto.master.ChangeTServerStateResponsePB;
import dev.kudu4j.common.proto.master.ConnectToMasterRequestPB;
import dev.kudu4j.common.proto.master.CreateTableRequestPB;
import dev.kudu4j.common.proto.master.CreateTableResponsePB;
import dev.kudu4j.common.proto.master.DeleteTableRequestPB;
import dev.kudu4j.common.proto.master.DeleteTableResponsePB;
import dev.kudu4j.common.proto.master.GetIndexProgressRequestPB;
import dev.kudu4j.common.proto.master.GetIndexProgressResponsePB;
import dev.kudu4j.common.proto.master.GetMasterRegistrationRequestPB;
import dev.kudu4j.common.proto.master.GetTableLocationsRequestPB;
import dev.kudu4j.common.proto.master.GetTableLocationsResponsePB;
import dev.kudu4j.common.proto.master.GetTableSchemaRequestPB;
import dev.kudu4j.common.proto.master.GetTableSchemaResponsePB;
import dev.kudu4j.common.proto.master.GetTableStatisticsRequestPB;
import dev.kudu4j.common.proto.master.GetTableStatisticsResponsePB;
import dev.kudu4j.common.proto.master.GetTabletLocationsRequestPB;
import dev.kudu4j.common.proto.master.GetTabletLocationsResponsePB;
import dev.kudu4j.common.proto.master.IsAlterTableDoneRequestPB;
import dev.kudu4j.common.proto.master.IsAlterTableDoneResponsePB;
import dev.kudu4j.common.proto.master.IsCreateTableDoneRequestPB;
import dev.kudu4j.common.proto.master.IsCreateTableDoneResponsePB;
import dev.kudu4j.common.proto.master.ListInFlightTablesRequestPB;
import dev.kudu4j.common.proto.master.ListInFlightTablesResponsePB;
import dev.kudu4j.common.proto.master.ListMastersRequestPB;
import dev.kudu4j.common.proto.master.ListTablesRequestPB;
import dev.kudu4j.common.proto.master.ListTablesResponsePB;
import dev.kudu4j.common.proto.master.ListTabletServersRequestPB;
import dev.kudu4j.common.proto.master.ListTabletServersResponsePB;
import dev.kudu4j.common.proto.master.MasterErrorPB;
import dev.kudu4j.common.proto.master.MasterFeatures;
import dev.kudu4j.common.proto.master.PingRequestPB;
import dev.kudu4j.common.proto.master.PingResponsePB;
import dev.kudu4j.common.proto.master.RebalanceRequestPB;
import dev.kudu4j.common.proto.master.RebalanceResponsePB;
import dev.kudu4j.common.proto.master.RecallDeletedTableRequestPB;
import dev.kudu4j.common.proto.master.RecallDeletedTableResponsePB;
import dev.kudu4j.common.proto.master.RefreshAuthzCacheRequestPB;
import dev.kudu4j.common.proto.master.RefreshAuthzCacheResponsePB;
import dev.kudu4j.common.proto.master.RemoveMasterRequestPB;
import dev.kudu4j.common.proto.master.RemoveMasterResponsePB;
import dev.kudu4j.common.proto.master.ReplaceTabletRequestPB;
import dev.kudu4j.common.proto.master.ReplaceTabletResponsePB;
import dev.kudu4j.common.proto.master.SetColumnStatisticsRequestPB;
import dev.kudu4j.common.proto.master.SetColumnStatisticsResponsePB;
import dev.kudu4j.common.proto.master.UnregisterTServerRequestPB;
import dev.kudu4j.common.proto.master.UnregisterTServerResponsePB;
import dev.kudu4j.common.rpc.Access;
import dev.kudu4j.common.rpc.RpcCall;
import dev.kudu4j.common.rpc.RpcService;
import dev.kudu4j.common.rpc.execution.CallCost;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.common.time.HybridClock;
import dev.kudu4j.common.wire.StatusWire;
import dev.kudu4j.master.failure.MasterException;
import dev.kudu4j.master.heartbeat.Locations;
import dev.kudu4j.master.heartbeat.ServerRegistry;
import dev.kudu4j.master.tables.Requester;
import dev.kudu4j.server.flags.Flags;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * {@code kudu.master.MasterService}: binds the RPC methods to their names.
 *
 * <p>A method that fails responds with the {@code error} field of its response message. The field
 * has the same name in every message, but not the same number. Only an invalid call gets an RPC
 * error.
 */
public final class MasterService {
  public static final String NAME = "kudu.master.MasterService";

  private final RpcService.Builder service = RpcService.builder(NAME);

  private MasterService() {}

  /** The service of one master. */
  public static RpcService of(
      MasterGroup group,
      MasterMembership membership,
      MasterLeadership leadership,
      ServerRegistry servers,
      Locations locations,
      HybridClock clock,
      Flags flags) {
    MasterService methods = new MasterService();
    methods.service.features(
        MasterFeatures.RANGE_PARTITION_BOUNDS_VALUE,
        MasterFeatures.ADD_DROP_RANGE_PARTITIONS_VALUE,
        MasterFeatures.CONNECT_TO_MASTER_VALUE,
        MasterFeatures.DYNAMIC_MULTI_MASTER_VALUE,
        MasterFeatures.COLUMN_STATISTICS_VALUE,
        MasterFeatures.REBALANCE_VALUE,
        MasterFeatures.INDEXES_VALUE);
    FeatureFlags.declare(methods.service, flags);
    methods.bindIdentity(new IdentityMethods(group, leadership, locations));
    methods.bindMembership(membership, leadership);
    methods.bindServers(new ServerMethods(group, leadership, servers, clock));
    methods.bindTables(new TableMethods(leadership));
    methods.bindLookups(new LookupMethods(leadership));
    methods.bindUnsupported();
    return methods.service.build();
  }

  private void bindIdentity(IdentityMethods identity) {
    service.method(
        "Ping",
        Access.CLIENT_OR_SERVICE,
        CallCost.SHORT,
        PingRequestPB.parser(),
        (request, call) -> call.respond(PingResponsePB.getDefaultInstance()));
    service.method(
        "ConnectToMaster",
        Access.CLIENT_OR_SERVICE,
        ConnectToMasterRequestPB.parser(),
        (request, call) ->
            identity.connectToMaster(call.caller().address()).thenAccept(call::respond));
    service.method(
        "GetMasterRegistration",
        Access.CLIENT_OR_SERVICE,
        GetMasterRegistrationRequestPB.parser(),
        (request, call) -> call.respond(identity.getMasterRegistration()));
    service.method(
        "ListMasters",
        Access.CLIENT,
        ListMastersRequestPB.parser(),
        (request, call) ->
            identity
                .listMasters()
                .whenComplete(
                    (answer, failure) -> {
                      if (failure == null) {
                        call.respond(answer);
                      } else {
                        call.fail(failure);
                      }
                    }));
  }

  private void bindMembership(MasterMembership membership, MasterLeadership leadership) {
    service.method(
        "AddMaster",
        Access.SUPERUSER_OR_SERVICE,
        AddMasterRequestPB.parser(),
        (request, call) ->
            answerLater(
                call,
                AddMasterResponsePB.getDefaultInstance(),
                leadership,
                () -> membership.add(request)));
    service.method(
        "RemoveMaster",
        Access.SUPERUSER,
        RemoveMasterRequestPB.parser(),
        (request, call) ->
            answerLater(
                call,
                RemoveMasterResponsePB.getDefaultInstance(),
                leadership,
                () -> membership.remove(request)));
  }

  /** Answers a method that only a leader serves, when its future completes. */
  private static void answerLater(
      RpcCall call,
      Message emptyAnswer,
      MasterLeadership leadership,
      Supplier<CompletableFuture<Void>> work) {
    CompletableFuture<Void> done;
    try {
      leadership.session();
      done = work.get();
    } catch (KuduException e) {
      done = CompletableFuture.failedFuture(e);
    }
    done.whenComplete(
        (nothing, failure) ->
            call.respond(
                failure == null ? emptyAnswer : failed(emptyAnswer, toKuduException(failure))));
  }

  private static KuduException toKuduException(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    return cause instanceof KuduException known
        ? known
        : new KuduException(StatusCode.RUNTIME_ERROR, String.valueOf(cause), cause);
  }

  private void bindServers(ServerMethods servers) {
    service.method(
        "TSHeartbeat",
        Access.SERVICE,
        TSHeartbeatRequestPB.parser(),
        (request, call) ->
            answer(
                call,
                TSHeartbeatResponsePB.getDefaultInstance(),
                request,
                heartbeat -> servers.heartbeat(heartbeat, call.caller().address().getAddress())));
    bind(
        "ListTabletServers",
        Access.CLIENT,
        ListTabletServersRequestPB.parser(),
        ListTabletServersResponsePB.getDefaultInstance(),
        servers::listTabletServers);
    bind(
        "ChangeTServerState",
        Access.SUPERUSER,
        ChangeTServerStateRequestPB.parser(),
        ChangeTServerStateResponsePB.getDefaultInstance(),
        servers::changeState);
    bind(
        "UnregisterTServer",
        Access.SUPERUSER,
        UnregisterTServerRequestPB.parser(),
        UnregisterTServerResponsePB.getDefaultInstance(),
        servers::unregister);
  }

  private void bindTables(TableMethods tables) {
    bindChange(
        "CreateTable",
        Access.CLIENT_OR_SERVICE,
        CreateTableRequestPB.parser(),
        CreateTableResponsePB.getDefaultInstance(),
        tables::createTable);
    bindShort(
        "IsCreateTableDone",
        Access.CLIENT_OR_SERVICE,
        IsCreateTableDoneRequestPB.parser(),
        IsCreateTableDoneResponsePB.getDefaultInstance(),
        tables::isCreateTableDone);
    bindChange(
        "AlterTable",
        Access.CLIENT_OR_SERVICE,
        AlterTableRequestPB.parser(),
        AlterTableResponsePB.getDefaultInstance(),
        tables::alterTable);
    bindShort(
        "IsAlterTableDone",
        Access.CLIENT_OR_SERVICE,
        IsAlterTableDoneRequestPB.parser(),
        IsAlterTableDoneResponsePB.getDefaultInstance(),
        tables::isAlterTableDone);
    bindChange(
        "DeleteTable",
        Access.CLIENT,
        DeleteTableRequestPB.parser(),
        DeleteTableResponsePB.getDefaultInstance(),
        tables::deleteTable);
    bindChange(
        "RecallDeletedTable",
        Access.CLIENT,
        RecallDeletedTableRequestPB.parser(),
        RecallDeletedTableResponsePB.getDefaultInstance(),
        tables::recallDeletedTable);
    bindChange(
        "ReplaceTablet",
        Access.SUPERUSER,
        ReplaceTabletRequestPB.parser(),
        ReplaceTabletResponsePB.getDefaultInstance(),
        tables::replaceTablet);
    bindChange(
        "Rebalance",
        Access.SUPERUSER,
        RebalanceRequestPB.parser(),
        RebalanceResponsePB.getDefaultInstance(),
        tables::rebalance);
    bindChange(
        "SetColumnStatistics",
        Access.CLIENT,
        SetColumnStatisticsRequestPB.parser(),
        SetColumnStatisticsResponsePB.getDefaultInstance(),
        tables::setColumnStatistics);
  }

  private void bindLookups(LookupMethods lookups) {
    bind(
        "ListTables",
        Access.CLIENT_OR_SERVICE,
        ListTablesRequestPB.parser(),
        ListTablesResponsePB.getDefaultInstance(),
        lookups::listTables);
    bind(
        "ListInFlightTables",
        Access.CLIENT_OR_SERVICE,
        ListInFlightTablesRequestPB.parser(),
        ListInFlightTablesResponsePB.getDefaultInstance(),
        request -> lookups.listInFlightTables());
    bindShort(
        "GetTableSchema",
        Access.CLIENT_OR_SERVICE,
        GetTableSchemaRequestPB.parser(),
        GetTableSchemaResponsePB.getDefaultInstance(),
        lookups::getTableSchema);
    bindShort(
        "GetTableLocations",
        Access.CLIENT_OR_SERVICE,
        GetTableLocationsRequestPB.parser(),
        GetTableLocationsResponsePB.getDefaultInstance(),
        lookups::getTableLocations);
    bindShort(
        "GetTabletLocations",
        Access.CLIENT_OR_SERVICE,
        GetTabletLocationsRequestPB.parser(),
        GetTabletLocationsResponsePB.getDefaultInstance(),
        lookups::getTabletLocations);
    bind(
        "GetTableStatistics",
        Access.CLIENT_OR_SERVICE,
        GetTableStatisticsRequestPB.parser(),
        GetTableStatisticsResponsePB.getDefaultInstance(),
        lookups::getTableStatistics);
    bind(
        "GetIndexProgress",
        Access.CLIENT,
        GetIndexProgressRequestPB.parser(),
        GetIndexProgressResponsePB.getDefaultInstance(),
        lookups::getIndexProgress);
  }

  private void bindUnsupported() {
    unsupported(
        "RefreshAuthzCache",
        Access.SUPERUSER,
        RefreshAuthzCacheRequestPB.parser(),
        RefreshAuthzCacheResponsePB.getDefaultInstance());
  }

  private <Q extends Message> void unsupported(
      String method, Access access, Parser<Q> parser, Message answer) {
    bind(
        method,
        access,
        parser,
        answer,
        request -> {
          throw KuduException.notSupported("%s is not offered by this master", method);
        });
  }

  private <Q extends Message> void bind(
      String method,
      Access access,
      Parser<Q> parser,
      Message emptyAnswer,
      Function<Q, Message> handler) {
    service.method(
        method, access, parser, (request, call) -> answer(call, emptyAnswer, request, handler));
  }

  /** Like {@link #bind}, for a method that only reads a few objects in memory. */
  private <Q extends Message> void bindShort(
      String method,
      Access access,
      Parser<Q> parser,
      Message emptyAnswer,
      Function<Q, Message> handler) {
    service.method(
        method,
        access,
        CallCost.SHORT,
        parser,
        (request, call) -> answer(call, emptyAnswer, request, handler));
  }

  /** Like {@link #bind}, for a change of a table: the log names the requester. */
  private <Q extends Message> void bindChange(
      String method,
      Access access,
      Parser<Q> parser,
      Message emptyAnswer,
      BiFunction<Q, Requester, Message> handler) {
    service.method(
        method,
        access,
        parser,
        (request, call) -> {
          Requester requester = new Requester(call.caller().user(), call.caller().describe());
          answer(call, emptyAnswer, request, r -> handler.apply(r, requester));
        });
  }

  private static <Q extends Message> void answer(
      RpcCall call, Message emptyAnswer, Q request, Function<Q, Message> handler) {
    Message answer;
    try {
      answer = handler.apply(request);
    } catch (KuduException e) {
      answer = failed(emptyAnswer, e);
    }
    call.respond(answer);
  }

  /** The response with the failure in its {@code error} field. */
  static Message failed(Message emptyAnswer, KuduException failure) {
    FieldDescriptor error = emptyAnswer.getDescriptorForType().findFieldByName("error");
    return emptyAnswer.toBuilder()
        .setField(
            error,
            MasterErrorPB.newBuilder()
                .setCode(MasterException.masterCodeOf(failure))
                .setStatus(StatusWire.toWire(failure))
                .build())
        .build();
  }
}

package dev.kudu4j.master;

import static dev.kudu4j.common.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import dev.kudu4j.common.Patience;
import dev.kudu4j.common.proto.cluster.TSHeartbeatRequestPB;
import dev.kudu4j.common.proto.cluster.TSHeartbeatResponsePB;
import dev.kudu4j.common.proto.common.AppStatusPB;
import dev.kudu4j.common.proto.common.HostPortPB;
import dev.kudu4j.common.proto.common.NodeInstancePB;
import dev.kudu4j.common.proto.common.ServerRegistrationPB;
import dev.kudu4j.common.proto.consensus.GetConsensusStateRequestPB;
import dev.kudu4j.common.proto.consensus.GetConsensusStateResponsePB;
import dev.kudu4j.common.proto.consensus.RaftPeerPB;
import dev.kudu4j.common.proto.master.AddMasterRequestPB;
import dev.kudu4j.common.proto.master.AddMasterResponsePB;
import dev.kudu4j.common.proto.master.ConnectToMasterRequestPB;
import dev.kudu4j.common.proto.master.ConnectToMasterResponsePB;
import dev.kudu4j.common.proto.master.GetTableSchemaRequestPB;
import dev.kudu4j.common.proto.master.GetTableSchemaResponsePB;
import dev.kudu4j.common.proto.master.ListMastersRequestPB;
import dev.kudu4j.common.proto.master.ListMastersResponsePB;
import dev.kudu4j.common.proto.master.ListTabletServersRequestPB;
import dev.kudu4j.common.proto.master.ListTabletServersResponsePB;
import dev.kudu4j.common.proto.master.MasterErrorPB;
import dev.kudu4j.common.proto.master.MasterFeatures;
import dev.kudu4j.common.proto.master.RefreshAuthzCacheRequestPB;
import dev.kudu4j.common.proto.master.RefreshAuthzCacheResponsePB;
import dev.kudu4j.common.proto.master.TableIdentifierPB;
import dev.kudu4j.common.rpc.RpcCallOptions;
import dev.kudu4j.common.rpc.RpcClient;
import dev.kudu4j.common.rpc.RpcClientOptions;
import dev.kudu4j.common.rpc.RpcException;
import dev.kudu4j.common.rpc.RpcResponse;
import dev.kudu4j.master.catalog.CatalogTablet;
import dev.kudu4j.master.service.MasterService;
import dev.kudu4j.server.flags.FlagParser;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A whole master, tested over its port. */
class MasterTest {
  private static final RpcCallOptions PATIENT =
      RpcCallOptions.timeout(Duration.ofSeconds(Patience.SECONDS));

  @TempDir Path directory;
  private final RpcClient client = new RpcClient(RpcClientOptions.defaults());

  @AfterEach
  void closeClient() {
    client.close();
  }

  private Master start(String... more) {
    List<String> arguments =
        new java.util.ArrayList<>(
            List.of(
                "--fs_wal_dir=" + directory,
                "--rpc_bind_addresses=127.0.0.1:0",
                "--webserver_enabled=false"));
    arguments.addAll(List.of(more));
    return Master.start(FlagParser.parse(MasterOptions.all(), arguments));
  }

  private <R extends Message> R call(
      Master master, String service, String method, Message request, Parser<R> parser)
      throws Exception {
    return call(master, service, method, request, parser, PATIENT);
  }

  private <R extends Message> R call(
      Master master,
      String service,
      String method,
      Message request,
      Parser<R> parser,
      RpcCallOptions options)
      throws Exception {
    InetSocketAddress address = master.process().identity().rpcAddresses().get(0).resolve();
    try (RpcResponse<R> response =
        client
            .call(address, service, method, request, parser, options)
            .get(Patience.SECONDS, TimeUnit.SECONDS)) {
      return response.message();
    }
  }

  private ConnectToMasterResponsePB awaitLeader(Master master) {
    return await("the master leads")
        .until(() -> connect(master), answer -> answer.getRole() == RaftPeerPB.Role.LEADER);
  }

  private ConnectToMasterResponsePB connect(Master master) throws Exception {
    ConnectToMasterResponsePB answer =
        call(
            master,
            MasterService.NAME,
            "ConnectToMaster",
            ConnectToMasterRequestPB.getDefaultInstance(),
            ConnectToMasterResponsePB.parser(),
            PATIENT.withFeatures(MasterFeatures.CONNECT_TO_MASTER_VALUE));
    assertThat(answer.getRole()).isIn(RaftPeerPB.Role.LEADER, RaftPeerPB.Role.FOLLOWER);
    return answer;
  }

  @Test
  void leadsSoonAfterEachStartWithTheSameClusterId() throws Exception {
    String clusterId;
    try (Master master = start()) {
      ConnectToMasterResponsePB answer = awaitLeader(master);
      clusterId = answer.getClusterId();
      assertThat(clusterId).matches("[0-9a-f]{32}");
      assertThat(answer.getMasterAddrsCount()).isEqualTo(1);
    }
    try (Master master = start()) {
      assertThat(awaitLeader(master).getClusterId()).isEqualTo(clusterId);
    }
  }

  @Test
  void tellsClientsWhereTheyAre() throws Exception {
    Path script = Files.writeString(directory.resolve("locate.sh"), "echo /dc1/$1");
    try (Master master = start("--location_mapping_cmd=sh " + script)) {
      awaitLeader(master);
      await("the command has ended") // the master answers without a location until then
          .until(() -> connect(master).getClientLocation(), "/dc1/127.0.0.1"::equals);
    }
    try (Master master = start("--location_mapping_cmd=false")) {
      assertThat(awaitLeader(master).hasClientLocation()).isFalse();
    }
    try (Master master = start()) {
      assertThat(awaitLeader(master).hasClientLocation()).isFalse();
    }
  }

  @Test
  void tellsToolsWhoItIs() throws Exception {
    try (Master master = start()) {
      awaitLeader(master);
      ListMastersResponsePB masters =
          call(
              master,
              MasterService.NAME,
              "ListMasters",
              ListMastersRequestPB.getDefaultInstance(),
              ListMastersResponsePB.parser());
      assertThat(masters.getMastersCount()).isEqualTo(1);
      assertThat(masters.getMasters(0).getRole()).isEqualTo(RaftPeerPB.Role.LEADER);
      GetConsensusStateResponsePB consensus =
          call(
              master,
              "kudu.consensus.ConsensusService",
              "GetConsensusState",
              GetConsensusStateRequestPB.newBuilder()
                  .setDestUuid(masters.getMasters(0).getInstanceId().getPermanentUuid())
                  .build(),
              GetConsensusStateResponsePB.parser());
      assertThat(consensus.getTabletsCount()).isEqualTo(1);
      assertThat(consensus.getTablets(0).getTabletId().toStringUtf8()).isEqualTo(CatalogTablet.ID);
    }
  }

  @Test
  void errorsAreReturnedInTheErrorFieldOfTheResponse() throws Exception {
    try (Master master = start()) {
      awaitLeader(master);
      GetTableSchemaResponsePB missing =
          call(
              master,
              MasterService.NAME,
              "GetTableSchema",
              GetTableSchemaRequestPB.newBuilder()
                  .setTable(TableIdentifierPB.newBuilder().setTableName("nope"))
                  .build(),
              GetTableSchemaResponsePB.parser());
      assertThat(missing.getError().getCode()).isEqualTo(MasterErrorPB.Code.TABLE_NOT_FOUND);
      assertThat(missing.getError().getStatus().getCode())
          .isEqualTo(AppStatusPB.ErrorCode.NOT_FOUND);
      RefreshAuthzCacheResponsePB unsupported =
          call(
              master,
              MasterService.NAME,
              "RefreshAuthzCache",
              RefreshAuthzCacheRequestPB.getDefaultInstance(),
              RefreshAuthzCacheResponsePB.parser());
      assertThat(unsupported.getError().getStatus().getCode())
          .isEqualTo(AppStatusPB.ErrorCode.NOT_SUPPORTED);
      assertThatThrownBy(
              () ->
                  call(
                      master,
                      MasterService.NAME,
                      "ListMasters",
                      ListMastersRequestPB.getDefaultInstance(),
                      ListMastersResponsePB.parser(),
                      PATIENT.withFeatures(MasterFeatures.GENERATE_AUTHZ_TOKEN_VALUE)))
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(RpcException.class);
    }
  }

  @Test
  void heartbeatsRegisterServersAndRequestMissingReports() throws Exception {
    try (Master master = start()) {
      awaitLeader(master);
      TSHeartbeatRequestPB.Builder heartbeat =
          TSHeartbeatRequestPB.newBuilder()
              .setInstance(
                  NodeInstancePB.newBuilder()
                      .setPermanentUuid(com.google.protobuf.ByteString.copyFromUtf8("a".repeat(32)))
                      .setInstanceSeqno(1));
      assertThat(heartbeat(master, heartbeat).getNeedsRegistration()).isTrue();
      heartbeat.setRegistration(
          ServerRegistrationPB.newBuilder()
              .addRpcAddresses(HostPortPB.newBuilder().setHost("127.0.0.1").setPort(1)));
      TSHeartbeatResponsePB registered = heartbeat(master, heartbeat);
      assertThat(registered.getNeedsRegistration()).isFalse();
      assertThat(registered.getNeedsFullReport()).isTrue();
      assertThat(registered.getLeader()).isTrue();
      ListTabletServersResponsePB servers =
          call(
              master,
              MasterService.NAME,
              "ListTabletServers",
              ListTabletServersRequestPB.getDefaultInstance(),
              ListTabletServersResponsePB.parser());
      assertThat(servers.getServersCount()).isEqualTo(1);
    }
  }

  @Test
  void invalidMasterAddressesAreRejected() throws Exception {
    try (Master master = start()) {
      awaitLeader(master);
      for (int port : new int[] {0, -1, 99_999}) {
        AddMasterResponsePB answer =
            call(
                master,
                MasterService.NAME,
                "AddMaster",
                AddMasterRequestPB.newBuilder()
                    .setRpcAddr(HostPortPB.newBuilder().setHost("127.0.0.1").setPort(port))
                    .build(),
                AddMasterResponsePB.parser());
        assertThat(answer.getError().getStatus().getMessage())
            .isEqualTo("rpc_addr must have a port from 1 to 65535, not " + port);
      }
      TSHeartbeatRequestPB.Builder heartbeat =
          TSHeartbeatRequestPB.newBuilder()
              .setInstance(
                  NodeInstancePB.newBuilder()
                      .setPermanentUuid(com.google.protobuf.ByteString.copyFromUtf8("a".repeat(32)))
                      .setInstanceSeqno(1))
              .setRegistration(
                  ServerRegistrationPB.newBuilder()
                      .addRpcAddresses(HostPortPB.newBuilder().setHost("a").setPort(99_999)));
      assertThat(heartbeat(master, heartbeat).getError().getStatus().getMessage())
          .isEqualTo("rpc_addresses must have a port from 1 to 65535, not 99999");
    }
  }

  private TSHeartbeatResponsePB heartbeat(Master master, TSHeartbeatRequestPB.Builder heartbeat)
      throws Exception {
    return call(
        master,
        MasterService.NAME,
        "TSHeartbeat",
        heartbeat.build(),
        TSHeartbeatResponsePB.parser());
  }
}

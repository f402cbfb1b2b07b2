package dev.kudu4j.master;

import static dev.kudu4j.common.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import dev.kudu4j.common.Patience;
import dev.kudu4j.common.proto.common.AppStatusPB;
import dev.kudu4j.common.proto.common.HostPortPB;
import dev.kudu4j.common.proto.consensus.RaftPeerPB.MemberType;
import dev.kudu4j.common.proto.consensus.RaftPeerPB.Role;
import dev.kudu4j.common.proto.master.AddMasterRequestPB;
import dev.kudu4j.common.proto.master.AddMasterResponsePB;
import dev.kudu4j.common.proto.master.ConnectToMasterRequestPB;
import dev.kudu4j.common.proto.master.ConnectToMasterResponsePB;
import dev.kudu4j.common.proto.master.ListMastersRequestPB;
import dev.kudu4j.common.proto.master.ListMastersResponsePB;
import dev.kudu4j.common.proto.master.ListTablesRequestPB;
import dev.kudu4j.common.proto.master.ListTablesResponsePB;
import dev.kudu4j.common.proto.master.MasterErrorPB;
import dev.kudu4j.common.proto.master.MasterFeatures;
import dev.kudu4j.common.proto.master.RemoveMasterRequestPB;
import dev.kudu4j.common.proto.master.RemoveMasterResponsePB;
import dev.kudu4j.common.proto.master.ServerEntryPB;
import dev.kudu4j.common.rpc.RpcCallOptions;
import dev.kudu4j.common.rpc.RpcClient;
import dev.kudu4j.common.rpc.RpcClientOptions;
import dev.kudu4j.common.rpc.RpcResponse;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.master.service.MasterService;
import dev.kudu4j.server.flags.FlagParser;
import dev.kudu4j.server.flags.HostPort;
import dev.kudu4j.server.rpc.ServerIdentity;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three masters in one JVM: how they find each other, which of them answer, and fail-over. */
class SeveralMastersTest {
  private static final int LOWEST_PORT = 12_000;
  private static final int PORTS = 5_000;

  @TempDir Path directory;
  private final RpcClient client = new RpcClient(RpcClientOptions.defaults());
  private final List<HostPort> addresses = new ArrayList<>();
  private final Master[] masters = new Master[3];

  SeveralMastersTest() throws Exception {
    while (addresses.size() < masters.length) {
      HostPort found = new HostPort("127.0.0.1", freePort());
      if (!addresses.contains(found)) {
        addresses.add(found);
      }
    }
  }

  /**
   * A port for a master that starts later; so it is outside the range that {@link
   * dev.kudu4j.server.raft.FreePort} uses for Raft, and outside the kernel's range.
   */
  private static int freePort() throws IOException {
    while (true) {
      int candidate = LOWEST_PORT + new Random().nextInt(PORTS);
      try (ServerSocket socket =
          new ServerSocket(candidate, 1, InetAddress.getByName("127.0.0.1"))) {
        return socket.getLocalPort();
      } catch (BindException e) {
        // taken; try another one
      }
    }
  }

  @AfterEach
  void closeAll() {
    for (int i = 0; i < masters.length; i++) {
      stop(i);
    }
    client.close();
  }

  private void start(int index) {
    start(index, list(0, 1, 2));
  }

  private String list(int... indexes) {
    return IntStream.of(indexes)
        .mapToObj(i -> addresses.get(i).toString())
        .collect(Collectors.joining(","));
  }

  private void start(int index, String masterAddresses) {
    masters[index] =
        Master.start(
            FlagParser.parse(
                MasterOptions.all(),
                List.of(
                    "--fs_wal_dir=" + directory.resolve("master-" + index),
                    "--rpc_bind_addresses=" + addresses.get(index),
                    "--master_addresses=" + masterAddresses,
                    "--leader_failure_max_missed_heartbeat_periods=5", // for a busy machine
                    "--webserver_enabled=false")));
  }

  private void stop(int index) {
    if (masters[index] != null) {
      masters[index].close();
      masters[index] = null;
    }
  }

  private <R extends Message> R call(int index, String method, Message request, Parser<R> parser)
      throws Exception {
    RpcCallOptions options = RpcCallOptions.timeout(Duration.ofSeconds(Patience.SECONDS));
    if (method.equals("ConnectToMaster")) {
      options = options.withFeatures(MasterFeatures.CONNECT_TO_MASTER_VALUE);
    }
    try (RpcResponse<R> response =
        client
            .call(
                addresses.get(index).resolve(),
                MasterService.NAME,
                method,
                request,
                parser,
                options)
            .get(Patience.SECONDS, TimeUnit.SECONDS)) {
      return response.message();
    }
  }

  private ConnectToMasterResponsePB connect(int index) throws Exception {
    return call(
        index,
        "ConnectToMaster",
        ConnectToMasterRequestPB.getDefaultInstance(),
        ConnectToMasterResponsePB.parser());
  }

  private int awaitLeader() {
    return await("one master leads").until(this::leaderIndex, OptionalInt::isPresent).getAsInt();
  }

  private OptionalInt leaderIndex() throws Exception {
    for (int i = 0; i < masters.length; i++) {
      if (masters[i] != null && connect(i).getRole() == Role.LEADER) {
        return OptionalInt.of(i);
      }
    }
    return OptionalInt.empty();
  }

  private void startAll() {
    for (int i = 0; i < masters.length; i++) {
      start(i);
    }
  }

  private ListMastersResponsePB listMasters(int index) throws Exception {
    return call(
        index,
        "ListMasters",
        ListMastersRequestPB.getDefaultInstance(),
        ListMastersResponsePB.parser());
  }

  @Test
  void oneMasterLeadsAndTheOthersRedirectClients() throws Exception {
    startAll();
    await("all masters report the same").untilAsserted(this::assertAllReportTheSame);
  }

  private void assertAllReportTheSame() throws Exception {
    int leaderIndex = awaitLeader();
    String clusterId = connect(leaderIndex).getClusterId();
    assertThat(clusterId).matches("[0-9a-f]{32}");
    for (int i = 0; i < masters.length; i++) {
      assertThat(connect(i).getMasterAddrsList())
          .extracting(HostPortPB::getPort)
          .containsExactlyInAnyOrderElementsOf(addresses.stream().map(HostPort::port).toList());
      assertThat(connect(i).getClusterId()).isEqualTo(clusterId);
      ListTablesResponsePB tables =
          call(
              i,
              "ListTables",
              ListTablesRequestPB.getDefaultInstance(),
              ListTablesResponsePB.parser());
      if (i == leaderIndex) {
        assertThat(tables.hasError()).isFalse();
      } else {
        assertThat(connect(i).getRole()).isEqualTo(Role.FOLLOWER);
        assertThat(tables.getError().getCode()).isEqualTo(MasterErrorPB.Code.NOT_THE_LEADER);
        assertThat(tables.getError().getStatus().getCode())
            .isEqualTo(AppStatusPB.ErrorCode.ILLEGAL_STATE);
      }
      List<ServerEntryPB> listed = listMasters(i).getMastersList();
      assertThat(listed).hasSize(3).allMatch(entry -> !entry.hasError());
      assertThat(listed)
          .extracting(entry -> entry.getInstanceId().getPermanentUuid().toStringUtf8())
          .containsExactlyInAnyOrder(uuid(0), uuid(1), uuid(2));
      assertThat(listed)
          .extracting(ServerEntryPB::getRole)
          .containsExactlyInAnyOrder(Role.LEADER, Role.FOLLOWER, Role.FOLLOWER);
    }
  }

  private String uuid(int index) {
    return masters[index].process().identity().uuid();
  }

  @Test
  void anotherMasterLeadsAfterAStopAndTheOldLeaderFollows() throws Exception {
    startAll();
    int first = awaitLeader();
    String clusterId = connect(first).getClusterId();
    stop(first);
    int second = awaitLeader();
    assertThat(second).isNotEqualTo(first);
    assertThat(connect(second).getClusterId()).isEqualTo(clusterId);
    ServerEntryPB gone =
        await("the stopped master is reported")
            .until(() -> faulty(second), faulty -> faulty.size() == 1)
            .get(0);
    assertThat(gone.getRegistration().getRpcAddresses(0).getPort())
        .isEqualTo(addresses.get(first).port());
    start(first);
    await("all three answer").until(() -> faulty(second).isEmpty());
    await("the cluster's id is known to it")
        .until(() -> connect(first).getClusterId().equals(clusterId));
  }

  private List<ServerEntryPB> faulty(int asked) throws Exception {
    return listMasters(asked).getMastersList().stream().filter(ServerEntryPB::hasError).toList();
  }

  @Test
  void theFirstCatalogNeedsAllMastersAndARestartOnlyAMajority() throws Exception {
    start(0);
    start(1);
    await("they have seen each other").until(() -> masters[0].leadership().isLoading());
    assertThat(masters[0].opened()).isNotDone();
    assertThat(connect(0).getRole()).isEqualTo(Role.FOLLOWER);
    start(2);
    awaitLeader();
    for (Master master : masters) {
      await("the master has created its catalog").until(() -> master.opened().isDone());
    }
    for (int i = 0; i < masters.length; i++) {
      stop(i);
    }
    start(0);
    start(1);
    awaitLeader();
  }

  @Test
  void emptyMastersJoinARunningMasterAndContinueWithoutIt() throws Exception {
    start(0, list(0));
    awaitLeader();
    String clusterId = connect(0).getClusterId();
    addToFirst(1, list(0, 1));
    addToFirst(2, list(0, 1, 2));
    assertThat(listMasters(0).getMastersList()).hasSize(3);
    assertThat(addMaster(2).getError().getCode())
        .isEqualTo(MasterErrorPB.Code.MASTER_ALREADY_PRESENT);
    stop(0);
    assertThat(connect(awaitLeader()).getClusterId()).isEqualTo(clusterId);
    await("both are there").untilAsserted(() -> assertThat(faulty(awaitLeader())).hasSize(1));
    assertThat(removeMaster(0).getError()).isEqualTo(MasterErrorPB.getDefaultInstance());
    await("both are left")
        .untilAsserted(
            () ->
                assertThat(listMasters(awaitLeader()).getMastersList())
                    .hasSize(2)
                    .noneMatch(ServerEntryPB::hasError));
    int other = 3 - awaitLeader();
    stop(other);
    start(other, list(1, 2));
    awaitLeader();
  }

  private void addToFirst(int index, String masterAddresses) throws Exception {
    start(index, masterAddresses);
    assertThat(connect(index).getRole()).isEqualTo(Role.FOLLOWER);
    assertThat(addMaster(index).getError()).isEqualTo(MasterErrorPB.getDefaultInstance());
    await("master " + index + " votes").until(() -> votes(index));
    await("it is open").untilAsserted(() -> assertThat(masters[index].opened()).isCompleted());
  }

  private boolean votes(int index) throws Exception {
    return listMasters(0).getMastersList().stream()
        .anyMatch(
            entry ->
                entry.getRegistration().getRpcAddresses(0).getPort() == addresses.get(index).port()
                    && entry.getMemberType() == MemberType.VOTER);
  }

  /**
   * Asks the leader, which may change at any moment on a busy machine. A previous change, whose
   * result is visible already, may still be in progress for a moment.
   */
  private AddMasterResponsePB addMaster(int index) {
    AddMasterRequestPB request = AddMasterRequestPB.newBuilder().setRpcAddr(address(index)).build();
    return await("a leader answers")
        .until(
            () -> call(awaitLeader(), "AddMaster", request, AddMasterResponsePB.parser()),
            answer -> isFinal(answer.getError()));
  }

  private RemoveMasterResponsePB removeMaster(int index) {
    RemoveMasterRequestPB request =
        RemoveMasterRequestPB.newBuilder().setRpcAddr(address(index)).build();
    return await("a leader answers")
        .until(
            () -> call(awaitLeader(), "RemoveMaster", request, RemoveMasterResponsePB.parser()),
            answer -> isFinal(answer.getError()));
  }

  private static boolean isFinal(MasterErrorPB error) {
    return error.getCode() != MasterErrorPB.Code.NOT_THE_LEADER
        && !error.getStatus().getMessage().contains("only one is allowed at a time");
  }

  private HostPortPB address(int index) {
    return ServerIdentity.toWire(addresses.get(index));
  }

  @Test
  void mastersDoNotBootstrapWithAMasterThatBootstrappedAlone() throws Exception {
    start(0, list(0, 1, 2));
    start(1, list(0, 1, 2));
    start(2, list(2));
    assertThat(masters[2].opened().get(Patience.SECONDS, TimeUnit.SECONDS)).isNull();
    assertThat(masters[0].opened()).isNotDone();
    assertThat(masters[1].opened()).isNotDone();
    assertThat(connect(2).getRole()).isIn(Role.LEADER, Role.FOLLOWER);
  }

  @Test
  void aListWithoutThisMasterOrWithAnEvenNumberIsRefused() throws Exception {
    start(1, list(0, 1, 2)); // waits for the third
    start(0, list(0, 0, 1));
    assertListIsRefused(masters[0]);
    start(2, list(0, 1));
    assertListIsRefused(masters[2]);
  }

  private static void assertListIsRefused(Master master) {
    assertThatThrownBy(() -> master.opened().get(Patience.SECONDS, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOf(KuduException.class)
        .hasMessageContaining("--master_addresses");
  }
}

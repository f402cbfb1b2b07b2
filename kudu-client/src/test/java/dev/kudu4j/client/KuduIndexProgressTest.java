package dev.kudu4j.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.consensus.RaftPeerPB.Role;
import dev.kudu4j.common.proto.master.AlterTableRequestPB;
import dev.kudu4j.common.proto.master.AlterTableResponsePB;
import dev.kudu4j.common.proto.master.ConnectToMasterRequestPB;
import dev.kudu4j.common.proto.master.ConnectToMasterResponsePB;
import dev.kudu4j.common.proto.master.GetIndexProgressRequestPB;
import dev.kudu4j.common.proto.master.GetIndexProgressResponsePB;
import dev.kudu4j.common.proto.master.MasterFeatures;
import dev.kudu4j.common.rpc.Access;
import dev.kudu4j.common.rpc.RpcServer;
import dev.kudu4j.common.rpc.RpcService;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The progress of indexes from a master whose response the test writes. */
@Timeout(120)
final class KuduIndexProgressTest {
  private RpcServer master;
  private KuduClient client;

  private void open(GetIndexProgressResponsePB answer, int... features) {
    RpcService service =
        RpcService.builder("kudu.master.MasterService")
            .features(1, 3)
            .features(features)
            .method(
                "ConnectToMaster",
                Access.CLIENT,
                ConnectToMasterRequestPB.parser(),
                (request, call) ->
                    call.respond(
                        ConnectToMasterResponsePB.newBuilder().setRole(Role.LEADER).build()))
            .method(
                "GetIndexProgress",
                Access.CLIENT,
                GetIndexProgressRequestPB.parser(),
                (request, call) -> call.respond(answer))
            .method(
                "AlterTable",
                Access.CLIENT,
                AlterTableRequestPB.parser(),
                (request, call) -> call.respond(AlterTableResponsePB.getDefaultInstance()))
            .build();
    master =
        RpcServer.builder("master")
            .bindAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .service(service)
            .start();
    client =
        new KuduClient.KuduClientBuilder("127.0.0.1:" + master.boundAddresses().get(0).getPort())
            .build();
  }

  @AfterEach
  void close() throws KuduException {
    client.close();
    master.close();
  }

  private List<KuduIndexProgress> progress() throws KuduException {
    return KuduClient.join(client.asyncClient().getIndexProgress("0".repeat(32)));
  }

  @Test
  void theAnswerOfTheMasterIsDecoded() throws KuduException {
    GetIndexProgressResponsePB.Builder answer = GetIndexProgressResponsePB.newBuilder();
    answer
        .addIndexesBuilder()
        .setName("i")
        .setIndexId(3)
        .setState(GetIndexProgressResponsePB.State.READY)
        .addTabletsBuilder()
        .setTabletId(ByteString.copyFromUtf8("x"))
        .setReplicas(3)
        .setBuiltReplicas(2)
        .setRowsets(7)
        .setBuiltRowsets(6)
        .setRows(70)
        .setBuiltRows(60);
    answer.addIndexesBuilder().setName("j");
    answer
        .addIndexesBuilder()
        .setName("k")
        .setState(GetIndexProgressResponsePB.State.FAILED)
        .setDuplicates("two rows");
    open(answer.build(), MasterFeatures.INDEXES_VALUE);
    assertThat(progress())
        .containsExactly(
            new KuduIndexProgress(
                "i",
                3,
                KuduIndexProgress.State.READY,
                "",
                List.of(new KuduIndexProgress.Tablet("x", 3, 2, 7, 6, 70, 60))),
            new KuduIndexProgress("j", 0, KuduIndexProgress.State.BUILDING, "", List.of()),
            new KuduIndexProgress("k", 0, KuduIndexProgress.State.FAILED, "two rows", List.of()));
  }

  @Test
  void otherMastersRefuse() {
    open(GetIndexProgressResponsePB.getDefaultInstance());
    assertThatThrownBy(this::progress)
        .isInstanceOfSatisfying(
            KuduException.class, e -> assertThat(e.getStatus().isNotSupported()).isTrue());
    assertThatThrownBy(
            () -> client.alterTable("t", new AlterTableOptions().rebuildIndex("i").setWait(false)))
        .isInstanceOfSatisfying(
            KuduException.class, e -> assertThat(e.getStatus().isNotSupported()).isTrue());
  }
}

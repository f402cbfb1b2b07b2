package dev.kudu4j.itest.hostile;

import static dev.kudu4j.itest.hostile.Forgery.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.proto.cluster.TSHeartbeatRequestPB;
import dev.kudu4j.common.proto.consensus.StartTabletCopyRequestPB;
import dev.kudu4j.common.proto.master.CreateTableRequestPB;
import dev.kudu4j.common.proto.tserver.DeleteTabletRequestPB;
import dev.kudu4j.common.proto.tserver.WriteRequestPB;
import java.io.IOException;
import java.util.List;

/** Names that would imitate a log line, in every field that holds a name. */
final class NameAttacks {
  /** The text with which no log line may begin. */
  static final String MARK = "2013-11-01 FORGED";

  private static final String NAME =
      "x\n" + MARK + " ERROR the disk burns\r" + MARK + "\u001b[2J\u2028";
  private static final int TIMEOUT_MILLIS = 20_000;

  private final HostileCluster cluster;

  NameAttacks(HostileCluster cluster) {
    this.cluster = cluster;
  }

  void forgeLines() throws IOException {
    Target master = cluster.master();
    Target server = cluster.tabletServers().get(0);
    for (String user : List.of(HostileCluster.STRANGER, HostileCluster.OPERATOR, NAME)) {
      call(user, master, RegistrationAttacks.MASTER, "CreateTable", table().toByteArray());
      call(user, master, RegistrationAttacks.MASTER, "TSHeartbeat", heartbeat().toByteArray());
      call(user, master, NAME, NAME, new byte[0]);
      call(user, server, RegistrationAttacks.MASTER, NAME, new byte[0]);
      call(user, server, HostileCluster.TABLET_SERVICE, "Write", write().toByteArray());
      call(user, server, PathAttacks.ADMIN, "DeleteTablet", delete().toByteArray());
      call(user, server, PathAttacks.CONSENSUS, "StartTabletCopy", copy().toByteArray());
      call(
          user,
          server,
          PathAttacks.ADMIN,
          "CreateTablet",
          Forgery.createTablet(server, "9".repeat(32)).setTableName(NAME).build().toByteArray());
    }
    for (Target target : cluster.all()) {
      greet(target);
      page(target);
    }
  }

  private static CreateTableRequestPB table() {
    return CreateTableRequestPB.newBuilder()
        .setName(NAME)
        .setOwner(NAME)
        .setComment(NAME)
        .setNumReplicas(1)
        .setSchema(Forgery.schema())
        .build();
  }

  private static TSHeartbeatRequestPB heartbeat() {
    return Forgery.heartbeat(NAME, 1)
        .setRegistration(Forgery.registration(Forgery.at(NAME, 7050)))
        .build();
  }

  private static WriteRequestPB write() {
    return WriteRequestPB.newBuilder().setTabletId(text(NAME)).build();
  }

  private static DeleteTabletRequestPB delete() {
    return DeleteTabletRequestPB.newBuilder().setTabletId(text(NAME)).setReason(NAME).build();
  }

  private static StartTabletCopyRequestPB copy() {
    return StartTabletCopyRequestPB.newBuilder()
        .setTabletId(text("8".repeat(32)))
        .setCopyPeerUuid(text(NAME))
        .setCopyPeerAddr(Forgery.at(NAME, 1))
        .build();
  }

  private static void call(String user, Target target, String service, String method, byte[] body) {
    try (RawRpc connection = RawRpc.as(user, target.rpc())) {
      connection.call(service, method, body, TIMEOUT_MILLIS);
    } catch (IOException refused) {
      // A user of that name may be rejected.
    }
  }

  private static void greet(Target target) {
    String name = "x\n" + MARK;
    try (RawRaft raft = RawRaft.claiming(name, target, "DATA")) {
      raft.isClosedWithin(200);
    } catch (IOException refused) {
      // The server may reject the name.
    }
  }

  private static void page(Target target) {
    String escaped = "/table?id=%0a" + MARK.replace(' ', '+') + "%0d%0a";
    for (String path : List.of(escaped, "/%0a" + MARK.replace(" ", "%20"), "/../../etc/passwd")) {
      try (RawHttp http = new RawHttp(target.web())) {
        http.sendText(RawHttp.get(path));
        http.answer(TIMEOUT_MILLIS);
      } catch (IOException refused) {
        // The server may reject the name.
      }
    }
  }

  void assertNoLineIsForged() {
    for (Target target : cluster.all()) {
      assertThat(target.daemon().output().lines().filter(line -> line.startsWith(MARK)))
          .as("forged lines in the log of %s", target.name())
          .isEmpty();
      assertThat(target.daemon().output())
          .as("log of %s", target.name())
          .doesNotContain("\u001b[2J");
    }
  }

  /** Removes what the attack may have created, as an operator would. */
  void tidy() throws Exception {
    for (String table : cluster.client().getTablesList().getTablesList()) {
      if (table.equals(NAME)) {
        cluster.dropTable(table);
      }
    }
    for (Target target : cluster.tabletServers()) {
      for (String id : List.of("9".repeat(32), "8".repeat(32))) {
        DeleteTabletRequestPB request =
            DeleteTabletRequestPB.newBuilder()
                .setTabletId(text(id))
                .setDestUuid(target.uuidBytes())
                .setDeleteType(dev.kudu4j.common.proto.tablet.TabletDataState.TABLET_DATA_DELETED)
                .build();
        call(
            HostileCluster.OPERATOR,
            target,
            PathAttacks.ADMIN,
            "DeleteTablet",
            request.toByteArray());
      }
    }
  }
}

package dev.kudu4j.itest.hostile;

import static dev.kudu4j.itest.hostile.Forgery.text;

import com.google.protobuf.Message;
import dev.kudu4j.common.proto.cluster.CreateTabletRequestPB;
import dev.kudu4j.common.proto.consensus.RaftConfigPB;
import dev.kudu4j.common.proto.consensus.StartTabletCopyRequestPB;
import dev.kudu4j.common.proto.tablet.TabletDataState;
import dev.kudu4j.common.proto.tserver.DeleteTabletRequestPB;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;

/** Ids and file names that are paths. */
final class PathAttacks {
  static final String ADMIN = "kudu.tserver.TabletServerAdminService";
  static final String CONSENSUS = "kudu.consensus.ConsensusService";

  private static final int TIMEOUT_MILLIS = 20_000;

  private final HostileCluster cluster;

  PathAttacks(HostileCluster cluster) {
    this.cluster = cluster;
  }

  /**
   * Paths from {@code home/data/ID} of a server to the directory tree next to the servers'
   * directories, and similar ones.
   */
  private List<String> paths() {
    return List.of(
        "../../../victim/home",
        "../../../victim",
        cluster.victim().toString(),
        cluster.victim().resolve("home").toString(),
        "../../notes",
        "a/../../../../victim/empty",
        "\0",
        "");
  }

  /** Ids that name the directory of all tablets of the server. */
  private static final List<String> OWN_DIRECTORY = List.of(".", "..", "./", "../data");

  void createTablets(String user) throws IOException {
    for (Target target : cluster.tabletServers()) {
      for (String path : paths()) {
        create(user, target, path);
      }
    }
    for (String path : OWN_DIRECTORY) {
      create(user, cluster.tabletServers().get(0), path);
    }
  }

  /** A request that is valid except for the id, and some that fail later. */
  private static void create(String user, Target target, String id) throws IOException {
    CreateTabletRequestPB good = Forgery.createTablet(target, id).build();
    send(user, target, ADMIN, "CreateTablet", good);
    CreateTabletRequestPB.Builder noMembers =
        good.toBuilder().setConfig(RaftConfigPB.getDefaultInstance());
    send(user, target, ADMIN, "CreateTablet", noMembers.build());
    send(user, target, ADMIN, "CreateTablet", good.toBuilder().clearSchema().build());
  }

  void deleteTablets(String user) throws IOException {
    for (Target target : cluster.tabletServers()) {
      for (String path : paths()) {
        delete(user, target, path);
      }
    }
    for (String path : OWN_DIRECTORY) {
      delete(user, cluster.tabletServers().get(0), path);
    }
  }

  private static void delete(String user, Target target, String id) throws IOException {
    for (TabletDataState kind :
        List.of(TabletDataState.TABLET_DATA_DELETED, TabletDataState.TABLET_DATA_TOMBSTONED)) {
      DeleteTabletRequestPB request =
          DeleteTabletRequestPB.newBuilder()
              .setTabletId(text(id))
              .setDestUuid(target.uuidBytes())
              .setDeleteType(kind)
              .build();
      send(user, target, ADMIN, "DeleteTablet", request);
    }
  }

  /**
   * Requests copies from an attacker's server, which offers files whose names are paths.
   *
   * @return whether a target sent it a request; in a cluster with a secret none does
   */
  boolean copyTablets(String user) throws IOException, InterruptedException {
    boolean used = false;
    List<String> names =
        List.of(
            cluster.victim().resolve("home/.ssh/authorized_keys").toString(),
            "../../../../victim/home/.ssh/authorized_keys",
            "../../../../victim/planted",
            cluster.victim().resolve("planted").toString(),
            "../../../notes");
    for (int i = 0; i < names.size(); i++) {
      try (CopySourceStub source = new CopySourceStub(names.get(i))) {
        String id = String.format("%032x", 0xbad00000L + i);
        Target target = cluster.tabletServers().get(0);
        copy(user, target, id, source.address());
        used |= source.wasUsed();
        delete(user, target, id);
      }
    }
    try (CopySourceStub source = new CopySourceStub("1.cfile")) {
      for (String path : paths()) {
        copy(user, cluster.tabletServers().get(0), path, source.address());
      }
    }
    return used;
  }

  private static void copy(String user, Target target, String id, InetSocketAddress source)
      throws IOException {
    StartTabletCopyRequestPB request =
        StartTabletCopyRequestPB.newBuilder()
            .setTabletId(text(id))
            .setCopyPeerUuid(text("e".repeat(32)))
            .setCopyPeerAddr(Target.toWire(source))
            .setDestUuid(target.uuidBytes())
            .build();
    send(user, target, CONSENSUS, "StartTabletCopy", request);
  }

  private static void send(
      String user, Target target, String service, String method, Message request)
      throws IOException {
    try (RawRpc connection = RawRpc.as(user, target.rpc())) {
      connection.call(service, method, request.toByteArray(), TIMEOUT_MILLIS);
    }
  }
}

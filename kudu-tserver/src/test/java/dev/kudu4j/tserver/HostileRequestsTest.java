package dev.kudu4j.tserver;

import static dev.kudu4j.common.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.kudu4j.common.proto.cluster.CreateTabletRequestPB;
import dev.kudu4j.common.proto.cluster.CreateTabletResponsePB;
import dev.kudu4j.common.proto.common.AppStatusPB;
import dev.kudu4j.common.proto.common.HostPortPB;
import dev.kudu4j.common.proto.consensus.RaftPeerPB;
import dev.kudu4j.common.proto.consensus.StartTabletCopyRequestPB;
import dev.kudu4j.common.proto.consensus.StartTabletCopyResponsePB;
import dev.kudu4j.common.proto.copy.BeginTabletCopySessionResponsePB;
import dev.kudu4j.common.proto.tserver.DeleteTabletRequestPB;
import dev.kudu4j.common.proto.tserver.DeleteTabletResponsePB;
import dev.kudu4j.tablet.proto.SuperblockPB;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Harmful names and addresses in requests: rejected without any effect. */
@Timeout(180)
class HostileRequestsTest {
  private static final String OTHER = "fedcba9876543210fedcba9876543210";

  @TempDir Path directory;
  private CopyServer server;

  @BeforeEach
  void start() {
    server = new CopyServer(directory.resolve("server"));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static void assertRefused(CreateTabletResponsePB answer, String message) {
    assertThat(answer.getError().getStatus().getCode())
        .as(answer.toString())
        .isEqualTo(AppStatusPB.ErrorCode.INVALID_ARGUMENT);
    assertThat(answer.getError().getStatus().getMessage()).contains(message);
  }

  private Set<String> files() {
    try (Stream<Path> all = Files.walk(directory)) {
      return new TreeSet<>(
          all.filter(path -> !path.toString().contains("/wals")).map(Path::toString).toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aTabletIdThatIsAPathIsRejected() throws IOException {
    Files.createDirectories(directory.resolve("victim"));
    Files.writeString(directory.resolve("victim/file"), "precious");
    server.createTablet();
    Set<String> before = files();
    for (String id :
        List.of(
            "../../../victim",
            directory.resolve("victim").toString(),
            ".",
            "..",
            "",
            "data",
            CopyServer.TABLET + "/..",
            CopyServer.TABLET.toUpperCase(java.util.Locale.ROOT),
            "a".repeat(100_000))) {
      CreateTabletRequestPB request =
          server.creation().toBuilder().setTabletId(ByteString.copyFromUtf8(id)).build();
      assertRefused(server.create(request), "tablet_id must be 32 lower-case hexadecimal digits");
      StartTabletCopyResponsePB copy = copy(c -> c.setTabletId(ByteString.copyFromUtf8(id)));
      assertThat(copy.getError().getStatus().getMessage()).contains("tablet_id must be");
      DeleteTabletResponsePB deleted =
          server.ask(
              CopyServer.ADMIN,
              "DeleteTablet",
              DeleteTabletRequestPB.newBuilder().setTabletId(ByteString.copyFromUtf8(id)).build(),
              DeleteTabletResponsePB.parser());
      assertThat(deleted.hasError()).isTrue();
      assertThat(deleted.getError().getStatus().getMessage()).hasSizeLessThan(500);
    }
    assertRefused(
        server.create(
            server.creation().toBuilder()
                .setTabletId(ByteString.copyFromUtf8(OTHER))
                .setTableId(ByteString.copyFromUtf8("../t"))
                .build()),
        "table_id must be");
    assertThat(files()).isEqualTo(before);
  }

  @Test
  void aFailedCreationKeepsExistingFiles() throws IOException {
    Path there = Files.createDirectories(directory.resolve("server/data").resolve(OTHER));
    Files.writeString(there.resolve("superblock"), "of a tablet that is not open yet");
    CreateTabletRequestPB request =
        server.creation().toBuilder().setTabletId(ByteString.copyFromUtf8(OTHER)).build();
    org.assertj.core.api.Assertions.assertThatThrownBy(() -> server.create(request))
        .hasMessageContaining("is not open yet");
    assertThat(there.resolve("superblock")).exists();
  }

  @Test
  void membersWithInvalidAddressesAreRejectedBeforeTheCreation() {
    Set<String> before = files();
    RaftPeerPB self = server.creation().getConfig().getPeers(0);
    for (HostPortPB bad :
        List.of(
            address("", 7050),
            address("host with spaces", 7050),
            address("$(x)", 7050),
            address("localhost", 0),
            address("localhost", 99_999),
            address("localhost", -1))) {
      assertRefused(create(self.toBuilder().setRaftAddr(bad).build()), "raft_addr of peer");
      assertRefused(create(self.toBuilder().setLastKnownAddr(bad).build()), "last_known_addr must");
    }
    assertRefused(create(self.toBuilder().clearRaftAddr().build()), "raft_addr of peer");
    assertRefused(
        create(self.toBuilder().setPermanentUuid(ByteString.copyFromUtf8("a/b")).build()),
        "permanent_uuid of a peer in config must be");
    assertRefused(create(self, self), "twice");
    assertRefused(
        create(self.toBuilder().setPermanentUuid(ByteString.copyFromUtf8(OTHER)).build()),
        "config does not name this server");
    assertThat(server.server().tablets().all()).isEmpty();
    assertThat(files()).isEqualTo(before);
  }

  private CreateTabletResponsePB create(RaftPeerPB... peers) {
    CreateTabletRequestPB.Builder request = server.creation().toBuilder();
    request.getConfigBuilder().clearPeers().addAllPeers(List.of(peers));
    return server.create(request.build());
  }

  private static HostPortPB address(String host, int port) {
    return HostPortPB.newBuilder().setHost(host).setPort(port).build();
  }

  private StartTabletCopyResponsePB copy(Consumer<StartTabletCopyRequestPB.Builder> change) {
    StartTabletCopyRequestPB.Builder request =
        StartTabletCopyRequestPB.newBuilder()
            .setDestUuid(ByteString.copyFromUtf8(server.uuid()))
            .setTabletId(ByteString.copyFromUtf8(OTHER))
            .setCopyPeerUuid(ByteString.copyFromUtf8(OTHER))
            .setCopyPeerAddr(address("127.0.0.1", 1))
            .setCallerTerm(1);
    change.accept(request);
    return server.ask(
        CopyServer.CONSENSUS,
        "StartTabletCopy",
        request.build(),
        StartTabletCopyResponsePB.parser());
  }

  @Test
  void aCopyFromAnInvalidAddressIsRejected() {
    assertThat(copy(c -> c.setCopyPeerAddr(address("", 1))).getError().getStatus().getMessage())
        .contains("copy_peer_addr must contain a host name");
    assertThat(
            copy(c -> c.setCopyPeerAddr(address("a", 99_999))).getError().getStatus().getMessage())
        .contains("copy_peer_addr must have a port");
    assertThat(
            copy(c -> c.setCopyPeerUuid(ByteString.copyFromUtf8("x\ny")))
                .getError()
                .getStatus()
                .getMessage())
        .contains("copy_peer_uuid must be 32 lower-case hexadecimal digits, not 'x\\u000ay'");
    assertThat(server.server().tablets().all()).isEmpty();
  }

  @Test
  void aCopiedSuperblockCannotNameAFileElsewhere() throws IOException {
    Path victim = directory.resolve("authorized_keys");
    server.createTablet();
    assertThat(server.insert(0, 100).getPerRowErrorsCount()).isZero();
    server.flush();
    try (CopyServer target = new CopyServer(directory.resolve("target"));
        FaultySource attacker = new FaultySource(server.address())) {
      for (String name : List.of(victim.toString(), "../../authorized_keys", "tombstone")) {
        attacker.forges(offer -> rename(offer, name), forged -> "rowset-0000000000.base");
        StartTabletCopyResponsePB answer =
            target.copyFrom(server.uuid(), attacker.address(), server.term());
        assertThat(answer.getError().getStatus().getMessage())
            .contains("references '" + name + "', which is not a valid data file name");
        await().until(() -> target.tablet() == null);
        assertThat(victim).doesNotExist();
      }
      attacker.forges(HostileRequestsTest::strangeMember, name -> name);
      target.copyFrom(server.uuid(), attacker.address(), server.term());
      await().until(() -> target.tablet() == null || target.tablet().copy() == null);
      attacker.forges(offer -> offer, name -> name);
      assertThat(target.copyFrom(server.uuid(), attacker.address(), server.term()).hasError())
          .isFalse();
      target.awaitRunning();
    }
  }

  private static BeginTabletCopySessionResponsePB rename(
      BeginTabletCopySessionResponsePB offer, String name) {
    try {
      SuperblockPB.Builder superblock = SuperblockPB.parseFrom(offer.getCheckpoint()).toBuilder();
      String before = superblock.getRowSets(0).getBaseFile();
      superblock.getRowSetsBuilder(0).setBaseFile(name);
      BeginTabletCopySessionResponsePB.Builder forged =
          offer.toBuilder().setCheckpoint(superblock.build().toByteString());
      forged.getFilesBuilderList().stream()
          .filter(file -> file.getName().equals(before))
          .forEach(file -> file.setName(name));
      return forged.build();
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException(e);
    }
  }

  private static BeginTabletCopySessionResponsePB strangeMember(
      BeginTabletCopySessionResponsePB offer) {
    BeginTabletCopySessionResponsePB.Builder forged = offer.toBuilder();
    forged
        .getInitialCstateBuilder()
        .getCommittedConfigBuilder()
        .getPeersBuilder(0)
        .setRaftAddr(address("", 99_999));
    return forged.build();
  }
}

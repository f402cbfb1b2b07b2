package dev.kudu4j.tserver;

import static dev.kudu4j.common.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.cluster.CreateTabletRequestPB;
import dev.kudu4j.common.proto.cluster.ReportedTabletPB;
import dev.kudu4j.common.proto.common.HostPortPB;
import dev.kudu4j.common.proto.consensus.RaftPeerPB;
import dev.kudu4j.common.proto.tserver.ListTabletsRequestPB;
import dev.kudu4j.common.proto.tserver.ListTabletsResponsePB;
import dev.kudu4j.tserver.heartbeat.ReplicaReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerProto;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A replica whose record contains impossible addresses, as older versions may have written them.
 */
@Timeout(180)
class PoisonedRecordTest {
  private static final String OTHER = "fedcba9876543210fedcba9876543210";

  @TempDir Path directory;

  private static HostPortPB address(int port) {
    return HostPortPB.newBuilder().setHost("127.0.0.1").setPort(port).build();
  }

  /** Creates a replica, damages the record of the other member, and restarts the server. */
  private ReportedTabletPB reportAfter(Consumer<RaftPeerProto.Builder> spoiler) throws IOException {
    try (CopyServer server = new CopyServer(directory)) {
      CreateTabletRequestPB.Builder request = server.creation().toBuilder();
      request
          .getConfigBuilder()
          .addPeers(
              RaftPeerPB.newBuilder()
                  .setPermanentUuid(ByteString.copyFromUtf8(OTHER))
                  .setMemberType(RaftPeerPB.MemberType.VOTER)
                  .setLastKnownAddr(address(1))
                  .setRaftAddr(address(2)));
      assertThat(server.create(request.build()).hasError()).isFalse();
      server.stop();
      spoil(spoiler);
      server.start();
      await().until(() -> server.tablet() != null && hasEnded(server));
      ListTabletsResponsePB listed =
          server.ask(
              CopyServer.DATA,
              "ListTablets",
              ListTabletsRequestPB.getDefaultInstance(),
              ListTabletsResponsePB.parser());
      assertThat(listed.getStatusAndSchemaCount()).isEqualTo(1);
      return ReplicaReport.of(server.tablet());
    }
  }

  private static boolean hasEnded(CopyServer server) {
    return server.tablet().isOpen() || server.tablet().cause() != null;
  }

  private void spoil(Consumer<RaftPeerProto.Builder> spoiler) throws IOException {
    try (Stream<Path> files = Files.walk(directory.resolve("wals"))) {
      for (Path file : files.filter(f -> f.endsWith("founders")).toList()) {
        RaftConfigurationProto.Builder record =
            RaftConfigurationProto.parseFrom(Files.readAllBytes(file)).toBuilder();
        record.getPeersBuilderList().stream()
            .filter(peer -> peer.getId().toStringUtf8().equals(OTHER))
            .forEach(spoiler);
        Files.write(file, record.build().toByteArray());
      }
    }
  }

  private static RaftPeerPB other(ReportedTabletPB report) {
    return report.getConsensusState().getCommittedConfig().getPeersList().stream()
        .filter(peer -> peer.getPermanentUuid().toStringUtf8().equals(OTHER))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void anInvalidAddressIsOmittedFromTheReport() throws IOException {
    for (String bad : new String[] {":7050", "host:99999", "a b:1"}) {
      ReportedTabletPB report = reportAfter(peer -> peer.setClientAddress(bad));
      assertThat(other(report).hasLastKnownAddr()).isFalse();
      assertThat(other(report).getRaftAddr()).isEqualTo(address(2));
      try (Stream<Path> files = Files.list(directory)) {
        for (Path file : files.toList()) {
          new dev.kudu4j.tablet.env.LocalFileStore().deleteTree(file);
        }
      }
    }
  }

  @Test
  void aReplicaWithoutAnAddressOfItsPeersIsStillReported() throws IOException {
    ReportedTabletPB report = reportAfter(peer -> peer.setAddress(":99999"));
    assertThat(report.getTabletId()).isEqualTo(CopyServer.tabletId());
    assertThat(report.getConsensusState().getCommittedConfig().getPeersList())
        .noneMatch(peer -> peer.getRaftAddr().getPort() > 65_535);
  }
}

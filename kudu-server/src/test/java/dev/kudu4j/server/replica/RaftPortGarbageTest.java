package dev.kudu4j.server.replica;

import static dev.kudu4j.common.Patience.await;
import static dev.kudu4j.server.replica.ReplicaHarness.insert;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.server.raft.RaftHost;
import dev.kudu4j.server.raft.RaftOptions;
import dev.kudu4j.server.raft.RaftTransportKind;
import dev.kudu4j.server.raft.log.RaftLogs;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftPeer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RaftPortGarbageTest {
  private static final long SEED = 20261122;

  private static final byte[] HTTP2_PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource
  void garbageCostsOnlyItsConnection(RaftTransportKind transport) throws Exception {
    RaftOptions options = RaftOptions.DEFAULT.withTransport(transport);
    Random random = new Random(SEED);
    try (ReplicaHarness process = new ReplicaHarness(directory, options, ReplicaOptions.DEFAULT)) {
      RecordingState state = new RecordingState(new RecordingState.Disk());
      TabletReplica replica = process.create(state);
      process.raft.registerPeers(List.of(new RaftHost.Peer("b".repeat(32), "127.0.0.1", 1)));
      send(transport, process.raft.self(), random, 1_000);
      long before = usedBytes();
      send(transport, process.raft.self(), random, 9_000);
      replica.write(insert(null, 1)).get(30, TimeUnit.SECONDS);
      assertThat(state.rows()).containsExactly(1L);
      await() // the last bytes may still be in flight
          .pollInterval(Duration.ofMillis(50))
          .untilAsserted(() -> assertThat(usedBytes() - before).isLessThan(32L << 20));
    }
  }

  /** Frames with random headers, pure noise, and both after a valid greeting. */
  private static void send(
      RaftTransportKind transport, RaftHost.Peer port, Random random, int frames)
      throws IOException {
    for (int sent = 0; sent < frames; ) {
      try (Socket socket = new Socket(port.host(), port.port())) {
        socket.setSoTimeout(1000);
        OutputStream out = socket.getOutputStream();
        if (random.nextBoolean()) {
          out.write(transport == RaftTransportKind.GRPC ? HTTP2_PREFACE : hello(port));
        }
        for (int i = 0; i < 50; i++, sent++) {
          byte[] frame = new byte[random.nextInt(200)];
          random.nextBytes(frame);
          if (frame.length > 13 && random.nextBoolean()) {
            head(transport, frame, random);
          }
          out.write(frame);
        }
        out.flush();
      } catch (IOException e) {
        sent += 50; // expected: the server has closed the connection
      }
    }
  }

  /** Gives noise the header of a frame, with the right length and an existing kind. */
  private static void head(RaftTransportKind transport, byte[] frame, Random random) {
    if (transport == RaftTransportKind.GRPC) {
      frame[0] = 0;
      frame[1] = 0;
      frame[2] = (byte) (frame.length - 9);
      frame[3] = (byte) random.nextInt(10);
      return;
    }
    boolean empty = random.nextBoolean(); // a message of defaults, which can be parsed
    frame[0] = 0;
    frame[1] = 0;
    frame[2] = 0;
    frame[3] = (byte) (empty ? 9 : frame.length - 4);
    frame[4] = (byte) random.nextInt(9);
  }

  /** The first message of one of our servers. */
  private static byte[] hello(RaftHost.Peer port) {
    String text = "K4RAFT01 DATA " + "b".repeat(32) + " " + port.serverUuid();
    ByteBuffer frame = ByteBuffer.allocate(15 + text.length());
    frame.putInt(frame.capacity() - 4).put((byte) 1).putLong(0);
    frame.put((byte) 0x0a).put((byte) text.length());
    return frame.put(text.getBytes(StandardCharsets.US_ASCII)).array();
  }

  private static long usedBytes() {
    long used = 0;
    for (var pool :
        ManagementFactory.getPlatformMXBeans(java.lang.management.BufferPoolMXBean.class)) {
      used += pool.getMemoryUsed();
    }
    System.gc();
    return used + ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  /**
   * Writes come through the tablet server; a client that uses Raft's own protocol is rejected. Our
   * transport has no such request.
   */
  @Test
  void strangersCannotWrite() throws Exception {
    RaftOptions options = RaftOptions.DEFAULT.withTransport(RaftTransportKind.GRPC);
    try (ReplicaHarness process = new ReplicaHarness(directory, options, ReplicaOptions.DEFAULT)) {
      RecordingState state = new RecordingState(new RecordingState.Disk());
      TabletReplica replica = process.create(state);
      RaftHost.Peer self = process.raft.self();
      RaftPeer peer =
          RaftPeer.newBuilder()
              .setId(self.serverUuid())
              .setAddress(self.host() + ":" + self.port())
              .build();
      try (RaftClient stranger =
          RaftClient.newBuilder()
              .setProperties(new RaftProperties())
              .setRaftGroup(RaftGroup.valueOf(RaftLogs.groupId(ReplicaHarness.TABLET), peer))
              .build()) {
        RaftClientReply reply = stranger.io().send(Message.valueOf("garbage"));
        assertThat(reply.isSuccess()).isFalse();
      } catch (IOException e) {
        assertThat(e).hasMessageContaining("through the tablet server only");
      }
      assertThat(replica.isLeader()).isTrue();
      replica.write(insert(null, 1)).get(30, TimeUnit.SECONDS);
      assertThat(state.rows()).containsExactly(1L);
    }
  }
}

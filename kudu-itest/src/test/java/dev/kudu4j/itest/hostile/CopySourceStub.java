package dev.kudu4j.itest.hostile;

import static dev.kudu4j.itest.hostile.Forgery.text;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.ExtensionRegistryLite;
import com.google.protobuf.Message;
import dev.kudu4j.common.proto.consensus.ConsensusStatePB;
import dev.kudu4j.common.proto.consensus.OpId;
import dev.kudu4j.common.proto.consensus.RaftConfigPB;
import dev.kudu4j.common.proto.consensus.RaftPeerPB;
import dev.kudu4j.common.proto.copy.BeginTabletCopySessionRequestPB;
import dev.kudu4j.common.proto.copy.BeginTabletCopySessionResponsePB;
import dev.kudu4j.common.proto.copy.CopiedFilePB;
import dev.kudu4j.common.proto.copy.DataChunkPB;
import dev.kudu4j.common.proto.copy.EndTabletCopySessionResponsePB;
import dev.kudu4j.common.proto.copy.FetchDataRequestPB;
import dev.kudu4j.common.proto.copy.FetchDataResponsePB;
import dev.kudu4j.common.proto.rpc.NegotiatePB;
import dev.kudu4j.common.proto.rpc.RequestHeader;
import dev.kudu4j.common.proto.rpc.ResponseHeader;
import dev.kudu4j.tablet.proto.RowSetPB;
import dev.kudu4j.tablet.proto.SuperblockPB;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;

/**
 * An attacker's server that offers a replica for a tablet copy. The replica has one file: the test
 * chooses its name, and its content is the attacker's.
 */
final class CopySourceStub implements AutoCloseable {
  private static final byte[] CONTENT =
      "ssh-ed25519 AAAA attacker\n".getBytes(StandardCharsets.US_ASCII);
  private static final int MAX_SECONDS = 15;

  private final ServerSocket listener;
  private final String fileName;
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private final Thread acceptor = new Thread(this::accept, "copy-source-stub");

  CopySourceStub(String fileName) throws IOException {
    this.fileName = fileName;
    listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    acceptor.setDaemon(true);
    acceptor.start();
  }

  InetSocketAddress address() {
    return new InetSocketAddress("127.0.0.1", listener.getLocalPort());
  }

  /** Whether a target began a session. If so, waits for the session to end; false on timeout. */
  boolean wasUsed() throws InterruptedException {
    return begun.getCount() == 0 && ended.await(MAX_SECONDS, TimeUnit.SECONDS);
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket socket = listener.accept();
        Thread thread = new Thread(() -> serve(socket), "copy-source-stub-connection");
        thread.setDaemon(true);
        thread.start();
      } catch (IOException e) {
        return;
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      DataInputStream in = new DataInputStream(socket.getInputStream());
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      in.readFully(new byte[RawRpc.PREAMBLE.length]);
      while (true) {
        byte[] frame = new byte[in.readInt()];
        in.readFully(frame);
        CodedInputStream parts = CodedInputStream.newInstance(frame);
        RequestHeader.Builder header = RequestHeader.newBuilder();
        parts.readMessage(header, ExtensionRegistryLite.getEmptyRegistry());
        Message answer = answer(header.build(), parts.readByteArray());
        if (answer != null) {
          ResponseHeader sent = ResponseHeader.newBuilder().setCallId(header.getCallId()).build();
          byte[] bytes = RawRpc.frame(sent, answer.toByteArray());
          out.writeInt(bytes.length);
          out.write(bytes);
          out.flush();
        }
      }
    } catch (IOException e) {
      // The target has closed the connection.
    }
  }

  private Message answer(RequestHeader header, byte[] body) throws IOException {
    return switch (header.getRemoteMethod().getMethodName()) {
      case "" -> header.getCallId() == -33 ? negotiation(NegotiatePB.parseFrom(body)) : null;
      case "BeginTabletCopySession" -> session(BeginTabletCopySessionRequestPB.parseFrom(body));
      case "FetchData" -> chunk(FetchDataRequestPB.parseFrom(body));
      default -> {
        ended.countDown();
        yield EndTabletCopySessionResponsePB.getDefaultInstance();
      }
    };
  }

  private static Message negotiation(NegotiatePB request) {
    return request.getStep() == NegotiatePB.NegotiateStep.NEGOTIATE
        ? RawRpc.hello().toBuilder()
            .addSaslMechanisms(NegotiatePB.SaslMechanism.newBuilder().setMechanism("PLAIN"))
            .build()
        : NegotiatePB.newBuilder().setStep(NegotiatePB.NegotiateStep.SASL_SUCCESS).build();
  }

  private Message session(BeginTabletCopySessionRequestPB request) {
    begun.countDown();
    SuperblockPB superblock =
        SuperblockPB.newBuilder()
            .setTabletId(request.getTabletId().toStringUtf8())
            .setTableId("f".repeat(32))
            .setTableName("forged")
            .setSchema(Forgery.schemaWithIds())
            .setSchemaVersion(0)
            .setLogTerm(1)
            .setLogIndex(1)
            .setMaxTimestamp(1)
            .setAutoIncrementCounter(0)
            .setNextId(2)
            .setMaxCellBytes(65536)
            .setMaxKeyBytes(16384)
            .setLineage(1)
            .addRowSets(
                RowSetPB.newBuilder()
                    .setId(1)
                    .setBaseFile(fileName)
                    .setRowCount(1)
                    .setLiveRowCount(1)
                    .setMinKey(text("a"))
                    .setMaxKey(text("b"))
                    .setMinInsertTimestamp(1)
                    .setMaxInsertTimestamp(1))
            .build();
    return BeginTabletCopySessionResponsePB.newBuilder()
        .setSessionId(text("session"))
        .setSessionIdleTimeoutMillis(60_000)
        .setInitialCstate(
            ConsensusStatePB.newBuilder()
                .setCurrentTerm(1)
                .setCommittedConfig(
                    RaftConfigPB.newBuilder()
                        .setOpidIndex(1)
                        .addPeers(
                            RaftPeerPB.newBuilder()
                                .setPermanentUuid(text("e".repeat(32)))
                                .setMemberType(RaftPeerPB.MemberType.VOTER)
                                .setLastKnownAddr(Target.toWire(address()))
                                .setRaftAddr(Target.toWire(address())))))
        .setResponderUuid(text("e".repeat(32)))
        .setCheckpoint(superblock.toByteString())
        .addFiles(CopiedFilePB.newBuilder().setName(fileName).setBytes(CONTENT.length))
        .setLastLogged(OpId.newBuilder().setTerm(1).setIndex(1))
        .build();
  }

  private static Message chunk(FetchDataRequestPB request) {
    int offset = (int) Math.min(request.getOffset(), CONTENT.length);
    CRC32C checksum = new CRC32C();
    checksum.update(CONTENT, offset, CONTENT.length - offset);
    return FetchDataResponsePB.newBuilder()
        .setChunk(
            DataChunkPB.newBuilder()
                .setOffset(offset)
                .setData(ByteString.copyFrom(CONTENT, offset, CONTENT.length - offset))
                .setCrc32((int) checksum.getValue())
                .setTotalDataLength(CONTENT.length))
        .build();
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}

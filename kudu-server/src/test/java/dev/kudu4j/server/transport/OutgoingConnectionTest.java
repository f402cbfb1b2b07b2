package dev.kudu4j.server.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.rpc.EventLoops;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.apache.ratis.thirdparty.com.google.protobuf.CodedInputStream;
import org.apache.ratis.thirdparty.com.google.protobuf.StringValue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A connection to a server that the test simulates byte by byte. */
class OutgoingConnectionTest {
  private static final Hello HELLO = new Hello(Purpose.DATA, "here", "there", "");

  private final EventLoops loops = EventLoops.open("test", 1);
  private final Semaphore ups = new Semaphore(0);
  private volatile boolean needed;
  private ServerSocket port;
  private OutgoingConnection connection;

  @BeforeEach
  void open() throws IOException {
    port = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    port.setSoTimeout(30_000);
    InetSocketAddress address =
        InetSocketAddress.createUnresolved("127.0.0.1", port.getLocalPort());
    connection =
        new OutgoingConnection(
            HELLO,
            Optional.empty(),
            () -> address,
            loops.clientBootstrap(),
            1 << 20,
            new OutgoingConnection.Owner() {
              @Override
              public void up() {
                ups.release();
              }

              @Override
              public boolean isNeeded() {
                return needed;
              }
            },
            new LongAdder());
  }

  @AfterEach
  void close() throws IOException {
    connection.close();
    port.close();
    loops.close();
  }

  /** The test's end of a connection. */
  private static final class Peer implements AutoCloseable {
    final Socket socket;
    final DataInputStream in;
    final DataOutputStream out;

    Peer(Socket socket) throws IOException {
      this.socket = socket;
      socket.setSoTimeout(30_000);
      in = new DataInputStream(socket.getInputStream());
      out = new DataOutputStream(socket.getOutputStream());
    }

    /** The kind and the call of the next frame, whose body is dropped. */
    long[] read() throws IOException {
      byte[] body = new byte[in.readInt() - Frame.HEAD_BYTES];
      long[] head = {in.readUnsignedByte(), in.readLong()};
      in.readFully(body);
      return head;
    }

    void write(int kind, long call, StringValue body) throws IOException {
      out.writeInt(Frame.HEAD_BYTES + body.getSerializedSize());
      out.writeByte(kind);
      out.writeLong(call);
      out.write(body.toByteArray());
    }

    void greet() throws IOException {
      assertThat(read()[0]).isEqualTo(MessageKind.HELLO.code());
      write(MessageKind.HELLO.code() | Frame.ANSWER, 0, StringValue.of(HELLO.text()));
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  private Peer accept() throws IOException {
    return new Peer(port.accept());
  }

  private static final class Answer extends CompletableFuture<String> implements AnswerHandler {
    @Override
    public void answered(CodedInputStream body) throws IOException {
      complete(StringValue.parseFrom(body).getValue());
    }

    @Override
    public void failed(CallFailure failure) {
      completeExceptionally(failure);
    }
  }

  private Answer send() {
    Answer answer = new Answer();
    connection.send(MessageKind.VOTE, StringValue.of("?"), answer);
    return answer;
  }

  private static CallFailure failure(Answer answer) throws Exception {
    try {
      throw new AssertionError(answer.get(30, TimeUnit.SECONDS));
    } catch (ExecutionException e) {
      return (CallFailure) e.getCause();
    }
  }

  @Test
  void responsesAreMatchedByCallInAnyOrder() throws Exception {
    Answer first = send();
    Answer second = send();
    try (Peer peer = accept()) {
      peer.greet();
      int answer = MessageKind.VOTE.code() | Frame.ANSWER;
      long firstCall = peer.read()[1];
      long secondCall = peer.read()[1];
      peer.write(answer, secondCall, StringValue.of("second"));
      peer.write(answer, firstCall, StringValue.of("first"));
      peer.write(answer, firstCall, StringValue.of("again")); // belongs to no call
      assertThat(first.get(30, TimeUnit.SECONDS)).isEqualTo("first");
      assertThat(second.get(30, TimeUnit.SECONDS)).isEqualTo("second");
      assertThat(connection.isUp()).isTrue();
    }
  }

  @Test
  void failureAtThePeerIsDistinguishedFromALostConnection() throws Exception {
    Answer refused = send();
    Answer unanswered = send();
    try (Peer peer = accept()) {
      peer.greet();
      peer.write(
          MessageKind.FAILED.code() | Frame.ANSWER,
          peer.read()[1],
          StringValue.of("no such group"));
      assertThat(failure(refused).isAtPeer()).isTrue();
      assertThat(failure(refused)).hasMessageContaining("no such group");
    }
    assertThat(failure(unanswered).isAtPeer()).isFalse();
  }

  @Test
  void lostConnectionIsReopenedWhileItIsNeeded() throws Exception {
    needed = true;
    connection.connect();
    for (int i = 0; i < 3; i++) {
      try (Peer peer = accept()) {
        peer.greet();
        assertThat(ups.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
      }
    }
  }

  @Test
  void callWithoutAListenerFails() throws Exception {
    port.close();
    assertThat(failure(send()).isAtPeer()).isFalse();
    assertThat(connection.isUp()).isFalse();
  }

  @Test
  void anotherServerAtTheAddressIsRejected() throws Exception {
    Answer answer = send();
    try (Peer peer = accept()) {
      peer.read();
      Hello other = new Hello(Purpose.DATA, "here", "elsewhere", "");
      peer.write(MessageKind.HELLO.code() | Frame.ANSWER, 0, StringValue.of(other.text()));
      assertThat(failure(answer).isAtPeer()).isFalse();
      assertThat(peer.in.read()).isEqualTo(-1);
    }
  }

  @Test
  void silentPeerIsPingedAndThenDisconnected() throws Exception {
    Answer answer = send();
    try (Peer peer = accept()) {
      peer.greet();
      assertThat(peer.read()[0]).isEqualTo(MessageKind.VOTE.code());
      assertThat(peer.read()[0]).isEqualTo(MessageKind.PING.code());
      assertThat(peer.read()[0]).isEqualTo(MessageKind.PING.code());
      assertThat(failure(answer).isAtPeer()).isFalse();
    }
  }

  @Test
  void peerThatSendsGarbageIsDisconnected() throws Exception {
    Answer answer = send();
    try (Peer peer = accept()) {
      peer.greet();
      peer.read();
      peer.out.write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      assertThat(failure(answer).isAtPeer()).isFalse();
    }
  }

  @Test
  void answerThatCannotBeParsedFailsTheCall() throws Exception {
    Answer answer = send();
    try (Peer peer = accept()) {
      peer.greet();
      long call = peer.read()[1];
      peer.out.writeInt(Frame.HEAD_BYTES + 1);
      peer.out.writeByte(MessageKind.VOTE.code() | Frame.ANSWER);
      peer.out.writeLong(call);
      peer.out.writeByte(0xff); // the beginning of a tag
      assertThat(failure(answer).isAtPeer()).isFalse();
      assertThat(peer.in.read()).as("the connection is closed").isEqualTo(-1);
    }
  }
}

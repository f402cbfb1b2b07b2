package dev.kudu4j.server.replica;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.kudu4j.common.security.ClusterSecret;
import dev.kudu4j.server.raft.RaftHost;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.util.HexFormat;
import java.util.Random;
import org.apache.ratis.thirdparty.com.google.protobuf.MessageLite;
import org.apache.ratis.thirdparty.com.google.protobuf.StringValue;

/** A client of a Raft port that sends arbitrary bytes. */
final class RaftPortClient implements AutoCloseable {
  static final int HELLO = 1;
  static final int PING = 2;
  static final int APPEND = 3;
  static final int VOTE = 4;
  static final int ELECT = 5;
  static final int NOTICE = 6;
  static final int FAILED = 7;
  static final int BEATS = 9;
  static final int PROOF = 8;

  private static final Random RANDOM = new Random();

  /** A received answer. */
  record Answer(int kind, byte[] body) {
    String text() throws IOException {
      return StringValue.parseFrom(body).getValue();
    }
  }

  private final RaftHost.Peer port;
  private final Socket socket;
  private final DataInputStream in;
  private final DataOutputStream out;
  private long calls;

  RaftPortClient(RaftHost.Peer port) throws IOException {
    this.port = port;
    this.socket = new Socket(port.host(), port.port());
    socket.setSoTimeout(30_000);
    in = new DataInputStream(socket.getInputStream());
    out = new DataOutputStream(socket.getOutputStream());
  }

  void send(byte[] bytes) throws IOException {
    out.write(bytes);
    out.flush();
  }

  void send(int kind, MessageLite body) throws IOException {
    out.writeInt(9 + body.getSerializedSize());
    out.writeByte(kind);
    out.writeLong(++calls);
    out.write(body.toByteArray());
    out.flush();
  }

  Answer call(int kind, MessageLite body) throws IOException {
    send(kind, body);
    return read();
  }

  Answer call(int kind, String text) throws IOException {
    return call(kind, StringValue.of(text));
  }

  Answer read() throws IOException {
    byte[] body = new byte[in.readInt() - 9];
    int kind = in.readUnsignedByte() & 0x7f;
    in.readLong();
    in.readFully(body);
    return new Answer(kind, body);
  }

  /** Waits until the other end has closed the connection. */
  boolean isClosed() throws IOException {
    try {
      while (true) {
        read();
      }
    } catch (EOFException | SocketException e) {
      return true;
    }
  }

  String plainHello(String from) {
    return "K4RAFT01 CONTROL " + from + " " + port.serverUuid();
  }

  /** Sends HELLO as a server without a secret. */
  Answer greet(String from) throws IOException {
    return call(HELLO, plainHello(from));
  }

  /** The values of both ends in a greeting between servers with a secret. */
  record Greeting(String nonce, String calledNonce, String calledProof) {}

  /** Sends HELLO as a server with a secret, with its own nonce. */
  Greeting begin(String from) throws IOException {
    byte[] bytes = new byte[32];
    RANDOM.nextBytes(bytes);
    return begin(from, HexFormat.of().formatHex(bytes));
  }

  Greeting begin(String from, String nonce) throws IOException {
    Answer answer = call(HELLO, "K4RAFT02 CONTROL " + from + " " + port.serverUuid() + " " + nonce);
    String[] words = answer.text().split(" ");
    if (answer.kind() != HELLO || words.length != 3) {
      throw new IOException("Refused: " + answer.text());
    }
    return new Greeting(nonce, words[1], words[2]);
  }

  /** The proof of one end. */
  String proof(ClusterSecret secret, String role, String from, Greeting greeting) {
    return HexFormat.of()
        .formatHex(
            secret.prove(
                "kudu4j raft connection 1",
                role.getBytes(US_ASCII),
                greeting.nonce().getBytes(US_ASCII),
                greeting.calledNonce().getBytes(US_ASCII),
                from.getBytes(US_ASCII),
                port.serverUuid().getBytes(US_ASCII),
                "CONTROL".getBytes(US_ASCII)));
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}

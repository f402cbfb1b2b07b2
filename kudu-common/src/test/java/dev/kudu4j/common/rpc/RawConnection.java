package dev.kudu4j.common.rpc;

import dev.kudu4j.common.Patience;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;

/** A plain socket that sends raw bytes and reads frames. */
final class RawConnection implements AutoCloseable {
  private static final int TIMEOUT_MILLIS = 1_000 * Patience.SECONDS;

  private final Socket socket = new Socket();
  private final DataInputStream input;

  RawConnection(InetSocketAddress address) throws IOException {
    socket.connect(address, TIMEOUT_MILLIS);
    socket.setSoTimeout(TIMEOUT_MILLIS);
    socket.setTcpNoDelay(true);
    input = new DataInputStream(socket.getInputStream());
  }

  /** A connection whose negotiation is complete, as user "probe". */
  static RawConnection negotiated(InetSocketAddress address) throws IOException {
    return negotiated(address, new byte[0]);
  }

  /**
   * Like the other method, with a call in the same packet as the last message of the negotiation.
   */
  static RawConnection negotiated(InetSocketAddress address, byte[] call) throws IOException {
    RawConnection connection = new RawConnection(address);
    connection.send(CapturedFrames.bytes("java: preamble"));
    connection.send(CapturedFrames.bytes("minimal: negotiate"));
    connection.readFrame();
    connection.send(CapturedFrames.bytes("minimal: SASL_INITIATE, user probe"));
    connection.readFrame();
    byte[] last = CapturedFrames.bytes("minimal: connection context, user probe");
    connection.send(ByteBuffer.allocate(last.length + call.length).put(last).put(call).array());
    return connection;
  }

  Socket socket() {
    return socket;
  }

  void send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    socket.getOutputStream().flush();
  }

  /** The next frame, including its length. */
  byte[] readFrame() throws IOException {
    int length = input.readInt();
    byte[] frame = new byte[Integer.BYTES + length];
    ByteBuffer.wrap(frame).putInt(length);
    input.readFully(frame, Integer.BYTES, length);
    return frame;
  }

  /** Whether the server closes the connection without sending another byte. */
  boolean isEnded() throws IOException {
    try {
      return input.read() == -1;
    } catch (EOFException | SocketException e) {
      return true; // a reset, because the server had not read everything
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}

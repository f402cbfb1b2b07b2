package dev.kudu4j.itest.hostile;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** One TCP connection on which the caller decides every byte. Not thread-safe. */
class RawConnection implements AutoCloseable {
  static final String OPERATORS_HOST = "127.0.0.1";

  /**
   * A separate address of the loopback interface, so that limits per address apply to the attacker.
   */
  static final String STRANGERS_HOST = "127.0.0.66";

  private static final int CONNECT_MILLIS = 10_000;
  private static final int LARGEST_ANSWER = 128 << 20;

  private final Socket socket = new Socket();
  private final DataInputStream in;
  private final OutputStream out;

  /** Connects from the attacker's address. */
  RawConnection(InetSocketAddress port) throws IOException {
    this(STRANGERS_HOST, port);
  }

  RawConnection(String from, InetSocketAddress port) throws IOException {
    try {
      socket.bind(new InetSocketAddress(from, 0));
      socket.setTcpNoDelay(true);
      socket.connect(port, CONNECT_MILLIS);
      in = new DataInputStream(socket.getInputStream());
      out = socket.getOutputStream();
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  final RawConnection send(byte[] bytes) throws IOException {
    return send(bytes, bytes.length);
  }

  /** Sends the first bytes of an array. */
  final RawConnection send(byte[] bytes, int length) throws IOException {
    out.write(bytes, 0, length);
    out.flush();
    return this;
  }

  /** Sends a length field, correct or not. */
  final RawConnection sendLength(int length) throws IOException {
    return send(ByteBuffer.allocate(Integer.BYTES).putInt(length).array());
  }

  /** Sends a frame with its correct length. */
  final RawConnection sendFrame(byte[] frame) throws IOException {
    return send(
        ByteBuffer.allocate(Integer.BYTES + frame.length).putInt(frame.length).put(frame).array());
  }

  /**
   * The next frame of the server.
   *
   * @throws SocketTimeoutException if nothing comes within the time
   * @throws IOException if the server closes the connection
   */
  final byte[] readFrame(int timeoutMillis) throws IOException {
    socket.setSoTimeout(timeoutMillis);
    int length = in.readInt();
    if (length < 0 || length > LARGEST_ANSWER) {
      throw new IOException("The server sends a frame of " + length + " bytes");
    }
    byte[] frame = new byte[length];
    in.readFully(frame);
    return frame;
  }

  /** All bytes until the server closes the connection, up to a maximum. */
  final byte[] readToEnd(int timeoutMillis, int maxBytes) throws IOException {
    socket.setSoTimeout(timeoutMillis);
    return in.readNBytes(maxBytes);
  }

  /**
   * Whether the server closes the connection within the time; bytes that it sends before are
   * dropped.
   */
  final boolean isClosedWithin(int timeoutMillis) {
    long end = System.nanoTime() + timeoutMillis * 1_000_000L;
    try {
      while (System.nanoTime() - end < 0) {
        socket.setSoTimeout((int) Math.max(1, (end - System.nanoTime()) / 1_000_000));
        if (in.read(new byte[8192]) < 0) {
          return true;
        }
      }
      return false;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  /**
   * Whether the server's end of the connection is open, according to the kernel: this end can
   * detect it only by a read.
   */
  final boolean isOpenAtTheServer() throws IOException {
    String ends =
        String.format(":%04X [0-9A-F]+:%04X 01 ", socket.getPort(), socket.getLocalPort());
    Pattern open = Pattern.compile(ends);
    for (String table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
      if (open.matcher(Files.readString(Path.of(table))).find()) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      // Closed by the other side.
    }
  }
}

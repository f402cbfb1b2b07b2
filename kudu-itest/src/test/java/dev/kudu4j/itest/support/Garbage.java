package dev.kudu4j.itest.support;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/**
 * Random bytes to a port: bare, after a valid preamble, after a valid length, much too long,
 * truncated.
 */
public final class Garbage {
  private static final byte[] PREAMBLE = {'h', 'r', 'p', 'c', 9, 0, 0};

  private Garbage() {}

  /** Sends that many frames, over as many connections as the server closes. */
  public static void send(int port, int frames, long seed) throws IOException {
    Random random = new Random(seed);
    int sent = 0;
    while (sent < frames) {
      try (Socket socket = new Socket()) {
        socket.connect(new InetSocketAddress("127.0.0.1", port), 5_000);
        socket.setTcpNoDelay(true);
        OutputStream out = socket.getOutputStream();
        if (random.nextBoolean()) {
          out.write(PREAMBLE);
        }
        int burst = 1 + random.nextInt(8);
        for (int i = 0; i < burst && sent < frames; i++) {
          sent++;
          out.write(frame(random));
        }
      } catch (IOException closedByServer) {
        // Expected: the server closes the connection.
      }
    }
  }

  private static byte[] frame(Random random) {
    byte[] body = new byte[random.nextInt(256)];
    random.nextBytes(body);
    return switch (random.nextInt(4)) {
      case 0 -> body;
      case 1 -> ByteBuffer.allocate(4 + body.length).putInt(body.length).put(body).array();
      case 2 -> ByteBuffer.allocate(4 + body.length).putInt(random.nextInt()).put(body).array();
      default ->
          ByteBuffer.allocate(4 + body.length)
              .putInt(body.length + 1 + random.nextInt(1000))
              .put(body)
              .array();
    };
  }

  /** Resident memory of a process, from the kernel. */
  public static long residentBytes(long pid) throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/status"))) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("[^0-9]", "")) << 10;
      }
    }
    throw new IOException("No VmRSS for process " + pid);
  }
}

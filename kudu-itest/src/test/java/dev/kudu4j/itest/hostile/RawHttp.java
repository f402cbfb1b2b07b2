package dev.kudu4j.itest.hostile;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/** A connection to a web port that sends a given text as a request. */
final class RawHttp extends RawConnection {
  private static final int MAX_BYTES = 64 << 20;

  RawHttp(InetSocketAddress port) throws IOException {
    super(port);
  }

  RawHttp sendText(String text) throws IOException {
    send(text.getBytes(StandardCharsets.ISO_8859_1));
    return this;
  }

  /** A request that asks the server to close the connection after its answer. */
  static String get(String path) {
    return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
  }

  /** The answer, up to the end of the connection. */
  String answer(int timeoutMillis) throws IOException {
    return new String(readToEnd(timeoutMillis, MAX_BYTES), StandardCharsets.ISO_8859_1);
  }
}

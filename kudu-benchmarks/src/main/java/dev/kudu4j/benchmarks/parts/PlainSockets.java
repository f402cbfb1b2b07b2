package dev.kudu4j.benchmarks.parts;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** A request and an answer of fixed lengths over loopback, without a protocol. */
final class PlainSockets implements Closeable {
  private final byte[] request;
  private final byte[] answer;
  private final Socket server;
  private final Socket client;

  PlainSockets(int requestBytes, int answerBytes) throws IOException {
    this.request = new byte[requestBytes];
    this.answer = new byte[answerBytes];
    try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      client = new Socket(listener.getInetAddress(), listener.getLocalPort());
      server = listener.accept();
    }
    client.setTcpNoDelay(true);
    server.setTcpNoDelay(true);
    Thread thread = new Thread(() -> serve(requestBytes, answerBytes), "plain-server");
    thread.setDaemon(true);
    thread.start();
  }

  private void serve(int requestBytes, int answerBytes) {
    try {
      InputStream in = server.getInputStream();
      OutputStream out = server.getOutputStream();
      byte[] bytes = new byte[answerBytes];
      while (in.readNBytes(requestBytes).length == requestBytes) {
        out.write(bytes);
      }
    } catch (IOException e) {
      assert server.isClosed() || client.isClosed() : e;
    }
  }

  /** Returns the number of received bytes. */
  int roundTrip() throws IOException {
    client.getOutputStream().write(request);
    return client.getInputStream().readNBytes(answer, 0, answer.length);
  }

  @Override
  public void close() throws IOException {
    client.close();
    server.close();
  }
}

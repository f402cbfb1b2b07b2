package dev.kudu4j.itest.hostile;

import static dev.kudu4j.itest.hostile.Forgery.text;

import dev.kudu4j.common.proto.common.ExternalConsistencyMode;
import dev.kudu4j.common.proto.common.ReadMode;
import dev.kudu4j.common.proto.rpc.RequestHeader;
import dev.kudu4j.common.proto.tserver.ListTabletsRequestPB;
import dev.kudu4j.common.proto.tserver.NewScanRequestPB;
import dev.kudu4j.common.proto.tserver.ScanRequestPB;
import dev.kudu4j.common.proto.tserver.WriteRequestPB;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Many connections, and connections that stop half-way. */
final class ConnectionAttacks {
  private static final int NEGOTIATION_BYTES = 256 << 10;
  private static final int CLAIMED_BYTES = 50 << 20;
  private static final int OPENERS = 8;
  private static final int PARKED_MILLIS = 3_600_000;
  private static final int HASTY_MILLIS = 1_000;
  private static final int ANSWER_MILLIS = 20_000;

  private ConnectionAttacks() {}

  /** Connections of eleven bytes: the preamble, and the length of a frame that never comes. */
  static Crowd elevenBytes(InetSocketAddress port, int connections) throws InterruptedException {
    byte[] bytes =
        ByteBuffer.allocate(RawRpc.PREAMBLE.length + Integer.BYTES)
            .put(RawRpc.PREAMBLE)
            .putInt(NEGOTIATION_BYTES)
            .array();
    Crowd crowd = new Crowd();
    inParallel(connections, () -> crowd.add(new RawConnection(port)).send(bytes));
    return crowd;
  }

  private interface Attempt {
    void make() throws IOException;
  }

  /** Runs the attempts in parallel, before the server's time-out for the first of them. */
  private static void inParallel(int attempts, Attempt attempt) throws InterruptedException {
    AtomicInteger left = new AtomicInteger(attempts);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < OPENERS; i++) {
      Thread thread = new Thread(() -> makeAll(left, attempt), "opener");
      thread.setDaemon(true);
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private static void makeAll(AtomicInteger left, Attempt attempt) {
    while (left.getAndDecrement() > 0) {
      try {
        attempt.make();
      } catch (IOException refused) {
        // The server may reject the connection.
      }
    }
  }

  /** Calls without their last byte, or as many bytes as the server reads. */
  static Crowd unfinishedCalls(InetSocketAddress port, int connections)
      throws InterruptedException {
    Crowd crowd = new Crowd();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < connections; i++) {
      Thread thread = new Thread(() -> sendMost(crowd, port), "unfinished-call");
      thread.setDaemon(true);
      thread.start();
      threads.add(thread);
    }
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
    for (Thread thread : threads) { // A server that does not read lets them wait: that is allowed.
      thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())));
    }
    return crowd;
  }

  private static void sendMost(Crowd crowd, InetSocketAddress port) {
    byte[] piece = new byte[1 << 20];
    try {
      RawConnection connection = crowd.add(RawRpc.as(HostileCluster.STRANGER, port));
      connection.sendLength(CLAIMED_BYTES);
      for (int sent = 0; sent < CLAIMED_BYTES - piece.length; sent += piece.length) {
        connection.send(piece);
      }
      connection.send(piece, piece.length - 1);
    } catch (IOException refused) {
      // The server may close the connection.
    }
  }

  /** Connections that negotiate and are silent afterwards. */
  static Crowd idle(InetSocketAddress port, int connections) throws InterruptedException {
    Crowd crowd = new Crowd();
    inParallel(connections, () -> crowd.add(RawRpc.as(HostileCluster.STRANGER, port)));
    return crowd;
  }

  /**
   * A connection that never reads an answer: to a scan that is parked for an hour, to a write that
   * exceeds its deadline, and to many more calls.
   */
  static RawConnection neverReads(Target leader, String tabletId, int calls) throws IOException {
    RawRpc connection = RawRpc.as(HostileCluster.STRANGER, leader.rpc());
    send(connection, "Scan", futureScan(tabletId).toByteArray());
    byte[] write = futureWrite(tabletId).toByteArray();
    connection.sendFrame(RawRpc.frame(hasty(connection, "Write"), write));
    byte[] list = ListTabletsRequestPB.getDefaultInstance().toByteArray();
    try {
      for (int i = 0; i < calls; i++) {
        send(connection, "ListTablets", list);
      }
    } catch (IOException closed) {
      // The server has closed the connection.
    }
    return connection;
  }

  /**
   * Calls that the server can answer only when its clock has advanced far, with earlier deadlines.
   *
   * @return the outcome of each
   */
  static List<RawRpc.Reply> waitsBeyondTheirDeadline(Target target, String tabletId)
      throws IOException {
    byte[] scan = futureScan(tabletId).toByteArray();
    byte[] write = futureWrite(tabletId).toByteArray();
    try (RawRpc connection = RawRpc.as(HostileCluster.STRANGER, target.rpc())) {
      return List.of(
          connection.call(hasty(connection, "Scan"), scan, ANSWER_MILLIS),
          connection.call(hasty(connection, "Write"), write, ANSWER_MILLIS));
    }
  }

  private static RequestHeader hasty(RawRpc connection, String method) {
    return connection.call(HostileCluster.TABLET_SERVICE, method, HASTY_MILLIS).build();
  }

  private static ScanRequestPB futureScan(String tabletId) {
    return ScanRequestPB.newBuilder()
        .setNewScanRequest(
            NewScanRequestPB.newBuilder()
                .setTabletId(text(tabletId))
                .setReadMode(ReadMode.READ_AT_SNAPSHOT)
                .setSnapTimestamp(soon()))
        .setCallSeqId(0)
        .build();
  }

  private static WriteRequestPB futureWrite(String tabletId) {
    return Forgery.write(tabletId, 1, 1)
        .setExternalConsistencyMode(ExternalConsistencyMode.COMMIT_WAIT)
        .setPropagatedTimestamp(soon())
        .build();
  }

  /** A snapshot ahead of the servers' clocks, but not so far that they reject it. */
  private static long soon() {
    return ((System.currentTimeMillis() + 9_000) * 1000) << 12;
  }

  private static void send(RawRpc connection, String method, byte[] body) throws IOException {
    RequestHeader header =
        connection.call(HostileCluster.TABLET_SERVICE, method, PARKED_MILLIS).build();
    connection.sendFrame(RawRpc.frame(header, body));
  }

  /** Requests to the web port that are never completed. */
  static Crowd unfinishedPages(InetSocketAddress port, int connections)
      throws InterruptedException {
    byte[] half = "GET / HTTP/1.1\r\nHost: a\r\nX-Y: ".getBytes(StandardCharsets.US_ASCII);
    Crowd crowd = new Crowd();
    inParallel(connections, () -> crowd.add(new RawHttp(port)).send(half));
    return crowd;
  }
}

package dev.kudu4j.tools.cluster;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.common.ColumnSchemaPB;
import dev.kudu4j.common.proto.common.ReadMode;
import dev.kudu4j.common.proto.server.ServerClockRequestPB;
import dev.kudu4j.common.proto.server.ServerClockResponsePB;
import dev.kudu4j.common.proto.tserver.ChecksumRequestPB;
import dev.kudu4j.common.proto.tserver.ChecksumResponsePB;
import dev.kudu4j.common.proto.tserver.ContinueChecksumRequestPB;
import dev.kudu4j.common.proto.tserver.NewScanRequestPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.tools.connection.ClusterCalls;
import dev.kudu4j.tools.console.Counter;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Computes a checksum of all rows of every replica at one snapshot, to compare the replicas of a
 * tablet. Limits the number of concurrent scans per server.
 */
final class ChecksumScan {
  private static final int BATCH_BYTES = 4 << 20;
  private static final int ATTEMPTS = 5;
  private static final long PAUSE_MILLIS = 500;

  private final ClusterCalls calls;
  private final int concurrencyOfServer;
  private final long timeoutSeconds;
  private final LongAdder rows = new LongAdder();

  /** The checksum of one replica, or the reason why there is none. */
  record Sum(TabletVerdict tablet, TabletVerdict.Replica replica, long value, String error) {}

  ChecksumScan(ClusterCalls calls, int concurrencyOfServer, long timeoutSeconds) {
    this.calls = calls;
    this.concurrencyOfServer = concurrencyOfServer;
    this.timeoutSeconds = timeoutSeconds;
  }

  /** Number of rows read so far, from all replicas together. */
  long rows() {
    return rows.sum();
  }

  /** The checksums of all running replicas, in the order of the tablets. */
  List<Sum> run(List<TabletVerdict> tablets, Map<String, ServerState> servers) {
    List<Sum> wanted = new ArrayList<>();
    for (TabletVerdict tablet : tablets) {
      for (TabletVerdict.Replica replica : tablet.replicas()) {
        if (replica.running()) {
          wanted.add(new Sum(tablet, replica, 0, "no checksum within the time limit"));
        }
      }
    }
    if (wanted.isEmpty()) {
      return List.of();
    }
    long snapshot = now(wanted.get(0).replica());
    Map<Sum, Sum> done = new ConcurrentHashMap<>();
    CountDownLatch left = new CountDownLatch(wanted.size());
    Map<String, Semaphore> turns = new HashMap<>();
    servers.keySet().forEach(server -> turns.put(server, new Semaphore(concurrencyOfServer)));
    ExecutorService threads =
        Executors.newFixedThreadPool(
            Math.min(wanted.size(), Math.max(1, concurrencyOfServer * servers.size())));
    try {
      for (Sum sum : wanted) {
        threads.execute(
            () -> {
              done.put(sum, sum(sum, snapshot, turns.get(sum.replica().uuid())));
              left.countDown();
            });
      }
      await(left);
    } finally {
      threads.shutdownNow();
    }
    return wanted.stream().map(sum -> done.getOrDefault(sum, sum)).toList();
  }

  private void await(CountDownLatch left) {
    try (Counter counter = Counter.rows("checksum")) {
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(timeoutSeconds);
      while (!left.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS) && System.nanoTime() - deadline < 0) {
        counter.at(rows());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private long now(TabletVerdict.Replica replica) {
    return ClusterCalls.get(
            calls.call(
                address(replica),
                "kudu.server.GenericService",
                "ServerClock",
                ServerClockRequestPB.getDefaultInstance(),
                ServerClockResponsePB.parser()))
        .getTimestamp();
  }

  private static InetSocketAddress address(TabletVerdict.Replica replica) {
    return ServerAddress.of(replica.address());
  }

  private Sum sum(Sum wanted, long snapshot, Semaphore turn) {
    try {
      turn.acquire();
      try {
        return new Sum(wanted.tablet(), wanted.replica(), withRetries(wanted, snapshot), "");
      } finally {
        turn.release();
      }
    } catch (KuduException e) {
      return new Sum(wanted.tablet(), wanted.replica(), 0, e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return wanted;
    }
  }

  private long withRetries(Sum wanted, long snapshot) throws InterruptedException {
    for (int attempt = 1; ; attempt++) {
      try {
        return sum(wanted, snapshot);
      } catch (KuduException e) {
        boolean transientFailure =
            e.code() == StatusCode.SERVICE_UNAVAILABLE || e.code() == StatusCode.TIMED_OUT;
        if (!transientFailure || attempt == ATTEMPTS) {
          throw e;
        }
        Thread.sleep(PAUSE_MILLIS);
      }
    }
  }

  private long sum(Sum wanted, long snapshot) {
    ChecksumResponsePB answer = ClusterCalls.get(call(wanted, opening(wanted, snapshot)));
    ByteString scanner = answer.getScannerId();
    for (int sequence = 1; answer.getHasMoreResults(); sequence++) {
      rows.add(answer.getRowsChecksummed());
      ChecksumRequestPB next =
          ChecksumRequestPB.newBuilder()
              .setContinueRequest(
                  ContinueChecksumRequestPB.newBuilder()
                      .setScannerId(scanner)
                      .setPreviousChecksum(answer.getChecksum()))
              .setCallSeqId(sequence)
              .setBatchSizeBytes(BATCH_BYTES)
              .build();
      answer = ClusterCalls.get(call(wanted, next));
    }
    rows.add(answer.getRowsChecksummed());
    return answer.getChecksum();
  }

  private CompletableFuture<ChecksumResponsePB> call(Sum wanted, ChecksumRequestPB request) {
    return calls.call(
        address(wanted.replica()),
        ClusterSurvey.TABLET_SERVER,
        "Checksum",
        request,
        ChecksumResponsePB.parser());
  }

  private static ChecksumRequestPB opening(Sum wanted, long snapshot) {
    NewScanRequestPB.Builder scan =
        NewScanRequestPB.newBuilder()
            .setTabletId(ByteString.copyFromUtf8(wanted.tablet().tablet()))
            .setReadMode(ReadMode.READ_AT_SNAPSHOT)
            .setSnapTimestamp(snapshot)
            .setCacheBlocks(false);
    for (ColumnSchemaPB column : wanted.tablet().table().schema().getColumnsList()) {
      scan.addProjectedColumns(column.toBuilder().clearId());
    }
    return ChecksumRequestPB.newBuilder()
        .setNewRequest(scan)
        .setCallSeqId(0)
        .setBatchSizeBytes(BATCH_BYTES)
        .build();
  }
}

package dev.kudu4j.client.index;

import com.google.protobuf.ByteString;
import dev.kudu4j.client.cluster.Cluster;
import dev.kudu4j.client.cluster.Deadline;
import dev.kudu4j.client.cluster.Failures;
import dev.kudu4j.client.cluster.RemoteReplica;
import dev.kudu4j.client.cluster.RemoteTablet;
import dev.kudu4j.client.cluster.ReplicaChoice;
import dev.kudu4j.client.cluster.TabletCall;
import dev.kudu4j.client.cluster.TabletReply;
import dev.kudu4j.client.scan.ScanFailures;
import dev.kudu4j.common.proto.tserver.ChecksumRequestPB;
import dev.kudu4j.common.proto.tserver.ChecksumResponsePB;
import dev.kudu4j.common.proto.tserver.ContinueChecksumRequestPB;
import dev.kudu4j.common.proto.tserver.NewScanRequestPB;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Makes the leader of one tablet add up the hashes of its rows, in calls of some megabytes each. A
 * server that is busy is asked again; if it loses the scan, the tablet is read again from its
 * beginning.
 */
final class TabletHashing {
  /** A call reads for about a second, and may have to wait for the snapshot before. */
  private static final long CALL_MILLIS = 60_000;

  private static final int MAX_READS = 5;
  private static final int MAX_REPETITIONS = 20;
  private static final long PAUSE_MILLIS = 500;

  private static final TabletCall<ChecksumResponsePB> CHECKSUM =
      new TabletCall<>(
          "Checksum", ChecksumResponsePB.parser(), ChecksumResponsePB::getError, List.of(), false);

  private final Cluster cluster;
  private final RemoteTablet tablet;
  private final HashedScan scan;

  TabletHashing(Cluster cluster, RemoteTablet tablet, HashedScan scan) {
    this.cluster = cluster;
    this.tablet = tablet;
    this.scan = scan;
  }

  CompletableFuture<RowSums> read() {
    return read(1);
  }

  private CompletableFuture<RowSums> read(int attempt) {
    RowSums sums = new RowSums();
    return open()
        .thenCompose(reply -> accept(reply, scannerId(reply), 1, sums))
        .handle(
            (done, failure) -> {
              if (failure == null) {
                return CompletableFuture.completedFuture(sums);
              }
              return attempt < MAX_READS && ScanFailures.mayReadAgain(failure)
                  ? cluster.after(PAUSE_MILLIS).thenCompose(waited -> read(attempt + 1))
                  : CompletableFuture.<RowSums>failedFuture(failure);
            })
        .thenCompose(result -> result);
  }

  private CompletableFuture<TabletReply<ChecksumResponsePB>> open() {
    return cluster.call(
        tablet,
        ReplicaChoice.LEADER,
        CHECKSUM,
        replica -> openRequest(),
        Deadline.after(CALL_MILLIS));
  }

  private ChecksumRequestPB openRequest() {
    NewScanRequestPB.Builder request =
        scan.toWire().setTabletId(ByteString.copyFromUtf8(tablet.tabletId()));
    if (cluster.lastTimestamp() > 0) {
      request.setPropagatedTimestamp(cluster.lastTimestamp());
    }
    return ChecksumRequestPB.newBuilder()
        .setNewRequest(request)
        .setCallSeqId(0)
        .setHashSums(scan.sums())
        .build();
  }

  private static ByteString scannerId(TabletReply<ChecksumResponsePB> reply) {
    return reply.response().message().getScannerId();
  }

  /** Adds the rows of a response, and continues the scan if there are more. */
  private CompletableFuture<Void> accept(
      TabletReply<ChecksumResponsePB> reply, ByteString scanner, int sequence, RowSums sums) {
    ChecksumResponsePB part = reply.response().message();
    reply.response().close();
    sums.add(part);
    if (!part.getHasMoreResults()) {
      return CompletableFuture.completedFuture(null);
    }
    ChecksumRequestPB request =
        ChecksumRequestPB.newBuilder()
            .setContinueRequest(
                ContinueChecksumRequestPB.newBuilder().setScannerId(scanner).setPreviousChecksum(0))
            .setCallSeqId(sequence)
            .setHashSums(scan.sums())
            .build();
    return proceed(reply.replica(), request, 0)
        .thenCompose(next -> accept(next, scanner, sequence + 1, sums));
  }

  /** Repeats a call that the server was too busy for; one that it has executed it would refuse. */
  private CompletableFuture<TabletReply<ChecksumResponsePB>> proceed(
      RemoteReplica replica, ChecksumRequestPB request, int repetitions) {
    return cluster
        .callOnce(replica, CHECKSUM, request, Deadline.after(CALL_MILLIS), true)
        .exceptionallyCompose(
            failure ->
                repetitions < MAX_REPETITIONS && Failures.isTransient(failure)
                    ? cluster
                        .after(PAUSE_MILLIS)
                        .thenCompose(waited -> proceed(replica, request, repetitions + 1))
                    : CompletableFuture.failedFuture(failure));
  }
}

package dev.kudu4j.tserver.scan;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.tserver.ChecksumRequestPB;
import dev.kudu4j.common.proto.tserver.ChecksumResponsePB;
import dev.kudu4j.common.proto.tserver.NewScanRequestPB;
import dev.kudu4j.common.rpc.RpcCall;
import dev.kudu4j.common.rpc.RpcErrorCode;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.time.HybridClock;
import dev.kudu4j.server.maintenance.AncientHistory;
import dev.kudu4j.tablet.batch.ColumnBatch;
import dev.kudu4j.tablet.scan.ScanSpec;
import dev.kudu4j.tablet.scan.TabletScanner;
import dev.kudu4j.tablet.scan.sink.BatchSink;
import dev.kudu4j.tablet.scan.sink.ChecksumSink;
import dev.kudu4j.tablet.scan.sink.HashSumSink;
import dev.kudu4j.tserver.error.TabletServerError;
import dev.kudu4j.tserver.tablets.HostedTablet;
import dev.kudu4j.tserver.tablets.TabletRegistry;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executor;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The Checksum call: a scan that returns a checksum, or sums of hashes, instead of rows.
 * Thread-safe.
 */
public final class ChecksumCalls {
  /** The bytes after which a call stops reading and answers. */
  private static final long BYTES_PER_CALL = 64L << 20;

  private static final int BATCH_BYTES = 1 << 20;

  private final TabletRegistry tablets;
  private final ScannerRegistry scanners;
  private final HybridClock clock;
  private final BufferAllocator allocator;
  private final AncientHistory history;
  private final Executor executor;

  public ChecksumCalls(
      TabletRegistry tablets,
      ScannerRegistry scanners,
      HybridClock clock,
      BufferAllocator allocator,
      AncientHistory history,
      Executor executor) {
    this.tablets = tablets;
    this.scanners = scanners;
    this.clock = clock;
    this.allocator = allocator;
    this.history = history;
    this.executor = executor;
  }

  public void checksum(ChecksumRequestPB request, RpcCall call) {
    try {
      if (request.hasNewRequest() == request.hasContinueRequest()) {
        call.fail(
            RpcErrorCode.ERROR_APPLICATION,
            "Invalid argument: Must pass either a new_request or a continue_request");
      } else if (request.hasNewRequest()) {
        open(request, call);
      } else {
        proceed(request, call);
      }
    } catch (RuntimeException e) {
      fail(call, e);
    }
  }

  private void open(ChecksumRequestPB request, RpcCall call) {
    NewScanRequestPB wanted = request.getNewRequest();
    HostedTablet tablet = tablets.running(wanted.getTabletId());
    if (wanted.hasAggregation() || wanted.hasTopN()) {
      throw KuduException.invalidArgument(
          "A checksum covers all rows, not the groups of an aggregation or the first rows");
    }
    ScanPlan plan = ScanPlan.of(wanted, tablet.tablet().schema(), List::of);
    BatchSink sum = sum(request, plan.projection());
    SnapshotChoice.choose(wanted, tablet, List.of(), clock, history, call)
        .whenCompleteAsync(
            (choice, failure) -> {
              try {
                if (failure != null) {
                  fail(call, failure);
                } else {
                  openAt(call, tablet, plan, choice, sum);
                }
              } catch (IOException | RuntimeException e) {
                fail(call, e);
              }
            },
            executor);
  }

  /** What adds up the rows of a call. */
  private static BatchSink sum(ChecksumRequestPB request, Schema projection) {
    if (!request.hasHashSums()) {
      return new ChecksumSink(request.getContinueRequest().getPreviousChecksum());
    }
    int columns = request.getHashSums().getBucketColumns();
    int bits = request.getHashSums().getBucketBits();
    if (columns < 1 || columns > projection.columnCount()) {
      throw KuduException.invalidArgument(
          "Hash sums: %d columns must determine the bucket, from 1 to the %d of the projection",
          columns, projection.columnCount());
    }
    if (bits < 0 || bits > HashSumSink.MAX_BUCKET_BITS) {
      throw KuduException.invalidArgument(
          "Hash sums: bucket_bits must be from 0 to %d, not %d", HashSumSink.MAX_BUCKET_BITS, bits);
    }
    return new HashSumSink(columns, bits);
  }

  private void openAt(
      RpcCall call, HostedTablet tablet, ScanPlan plan, SnapshotChoice choice, BatchSink sum)
      throws IOException {
    OpenScanner scanner =
        new OpenScanner(
            trace(call, tablet, plan, choice),
            open(tablet, plan.at(choice.snapshot(), -1)),
            plan.projection(),
            0,
            false,
            List.of(),
            scanners.nowNanos());
    scanner.enterFirst();
    ChecksumResponsePB.Builder reply =
        ChecksumResponsePB.newBuilder().setScannerId(ByteString.copyFromUtf8(scanner.id()));
    if (choice.reportedTimestamp() >= 0) {
      reply.setSnapTimestamp(choice.reportedTimestamp());
    }
    answer(call, scanner, reply, sum, true);
  }

  private ScanTrace trace(RpcCall call, HostedTablet tablet, ScanPlan plan, SnapshotChoice choice) {
    String table = tablet.tablet().descriptor().tableName();
    return new ScanTrace(
        UUID.randomUUID().toString().replace("-", ""),
        tablet.tabletId(),
        call.caller(),
        tablet.scans(),
        ScanTrace.Query.of("CHECKSUM", table, plan, choice.snapshot()),
        "",
        scanners.nowNanos());
  }

  private static TabletScanner open(HostedTablet tablet, ScanSpec spec) throws IOException {
    try {
      return tablet.tablet().scan(spec);
    } catch (IOException | RuntimeException e) {
      tablet.readFailed(e);
      throw e;
    }
  }

  private void proceed(ChecksumRequestPB request, RpcCall call) {
    String id = request.getContinueRequest().getScannerId().toStringUtf8();
    OpenScanner scanner = scanners.find(id, call.caller().user());
    BatchSink sum = sum(request, scanner.projection());
    if (request.getCloseScanner()) {
      scanners.remove(scanner, ScanTrace.State.CLOSED);
      call.respond(
          ChecksumResponsePB.newBuilder()
              .setChecksum(request.getContinueRequest().getPreviousChecksum())
              .setHasMoreResults(false)
              .build());
      return;
    }
    try {
      if (scanner.enter(request.getCallSeqId()) != null) { // only scans read ahead
        scanner.endCall(false, false);
        throw OpenScanner.expired(id);
      }
    } catch (TabletServerError e) {
      scanners.remove(scanner, ScanTrace.State.FAILED);
      throw e;
    }
    answer(call, scanner, ChecksumResponsePB.newBuilder(), sum, false);
  }

  private void answer(
      RpcCall call,
      OpenScanner scanner,
      ChecksumResponsePB.Builder reply,
      BatchSink sum,
      boolean opening) {
    boolean more = true;
    long startNanos = scanners.nowNanos();
    try (ColumnBatch batch = new ColumnBatch(allocator, scanner.projection())) {
      long read = 0;
      while (more && read < BYTES_PER_CALL && !call.isCancelled()) {
        batch.clear();
        more = scanner.scanner().next(batch, BATCH_BYTES);
        sum.add(batch);
        read += batch.bytes();
      }
    } catch (IOException | RuntimeException e) {
      scanner.close();
      scanners.remove(scanner, ScanTrace.State.FAILED);
      scanner.endCall(false, opening);
      tablets.readFailed(scanner.tabletId(), e);
      fail(call, e);
      return;
    }
    scanner.trace().recordCall(scanners.nowNanos() - startNanos, 0, 0);
    scanner.trace().scanned(scanner.scanner().rowsScanned(), scanner.scanner().bytesRead());
    if (!more) {
      scanner.close();
      scanners.remove(scanner, ScanTrace.State.COMPLETE);
    } else if (opening) {
      scanners.add(scanner);
    }
    scanner.touch(scanners.nowNanos());
    scanner.endCall(true, opening);
    if (sum instanceof HashSumSink hashes) {
      Arrays.stream(hashes.sums()).forEach(reply::addHashSums);
    } else if (sum instanceof ChecksumSink checksum) {
      reply.setChecksum(checksum.checksum());
    }
    call.respond(reply.setRowsChecksummed(sum.rowCount()).setHasMoreResults(more).build());
  }

  private static void fail(RpcCall call, Throwable failure) {
    TabletServerError.answer(
        call,
        failure,
        error -> call.respond(ChecksumResponsePB.newBuilder().setError(error).build()));
  }
}

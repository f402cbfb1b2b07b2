package dev.kudu4j.tserver.scan;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.tserver.NewScanRequestPB;
import dev.kudu4j.common.proto.tserver.ResourceMetricsPB;
import dev.kudu4j.common.proto.tserver.ScanRequestPB;
import dev.kudu4j.common.proto.tserver.ScanResponsePB;
import dev.kudu4j.common.proto.tserver.ScannerKeepAliveRequestPB;
import dev.kudu4j.common.proto.tserver.ScannerKeepAliveResponsePB;
import dev.kudu4j.common.proto.tserver.TabletServerErrorPB;
import dev.kudu4j.common.rpc.RpcCall;
import dev.kudu4j.common.rpc.RpcErrorCode;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.common.thread.WouldBlock;
import dev.kudu4j.common.time.HybridClock;
import dev.kudu4j.server.maintenance.AncientHistory;
import dev.kudu4j.server.memory.ScanMemoryGate;
import dev.kudu4j.tablet.TabletDescriptor;
import dev.kudu4j.tablet.scan.ScanSpec;
import dev.kudu4j.tserver.error.TabletServerError;
import dev.kudu4j.tserver.tablets.HostedTablet;
import dev.kudu4j.tserver.tablets.TabletRegistry;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.jspecify.annotations.Nullable;

/**
 * The Scan and ScannerKeepAlive calls. A reply's rows go from the batch to the socket without a
 * copy (columnar) or with one (rowwise). Thread-safe.
 */
public final class ScanCalls {
  /** The default and the maximum size of a reply. The values may change at any time. */
  public record BatchLimits(IntSupplier defaultBytes, IntSupplier maxBytes) {
    /**
     * The size of a reply.
     *
     * @param isAsked whether the client has asked for a size
     * @param askedBytes the size that it has asked for, as an unsigned number
     */
    public long softLimit(boolean isAsked, int askedBytes) {
      long asked = isAsked ? Integer.toUnsignedLong(askedBytes) : defaultBytes.getAsInt();
      return Math.max(1, Math.min(asked, maxBytes.getAsInt()));
    }
  }

  /**
   * Faults that tests inject into scans. The values may change at any time.
   *
   * @param delayMillis the delay of each call before it reads
   * @param unavailable whether calls after the first are rejected
   */
  public record Faults(IntSupplier delayMillis, BooleanSupplier unavailable) {}

  /** The minimum rows of a block if the client requests small replies. */
  private static final int MIN_BLOCK_ROWS = 128;

  /** The assumed average size of a cell of variable length. */
  private static final int TEXT_BYTES = 16;

  private static final long NO_TIMESTAMP = -1;

  private final TabletRegistry tablets;
  private final ScannerRegistry scanners;
  private final HybridClock clock;
  private final BufferAllocator allocator;
  private final ScanMemoryGate memoryGate;
  private final BatchLimits limits;
  private final Faults faults;
  private final AncientHistory history;
  private final ReadAhead readAhead;
  private final Executor executor;

  /**
   * @param allocator the allocator of batches that are being sent; outlives every reply
   * @param memoryGate the memory gate; each call enters it before it changes any state
   * @param history how far back snapshots may reach
   * @param executor continues scans that had to wait for their snapshot
   */
  public ScanCalls(
      TabletRegistry tablets,
      ScannerRegistry scanners,
      HybridClock clock,
      BufferAllocator allocator,
      ScanMemoryGate memoryGate,
      BatchLimits limits,
      Faults faults,
      AncientHistory history,
      ReadAhead readAhead,
      Executor executor) {
    this.tablets = tablets;
    this.scanners = scanners;
    this.clock = clock;
    this.allocator = allocator;
    this.memoryGate = memoryGate;
    this.limits = limits;
    this.faults = faults;
    this.history = history;
    this.readAhead = readAhead;
    this.executor = executor;
  }

  public void scan(ScanRequestPB request, RpcCall call) {
    try {
      if (request.hasScannerId() == request.hasNewScanRequest()) {
        call.fail(
            RpcErrorCode.ERROR_APPLICATION,
            "Invalid argument: Must not pass both a scanner_id and new_scan_request, nor neither");
      } else if (request.hasNewScanRequest()) {
        open(request, call);
      } else if (isOnlyClosing(request)) {
        close(request, call);
      } else if (find(request, call).isNextReady()) {
        proceed(request, call); // only sends what is there
      } else {
        call.runBlocking(() -> proceed(request, call));
      }
    } catch (RuntimeException e) {
      fail(call, e);
    }
  }

  private static boolean isOnlyClosing(ScanRequestPB request) {
    return request.getCloseScanner() && request.getBatchSizeBytes() == 0;
  }

  private void open(ScanRequestPB request, RpcCall call) {
    NewScanRequestPB wanted = request.getNewScanRequest();
    HostedTablet tablet = tablets.running(wanted.getTabletId());
    Optional<ScanPlan> plan = planNow(wanted, tablet);
    if (plan.isEmpty()) {
      openWhenCurrent(request, call, tablet);
    } else if (plan.get().isShort() && !wanted.getPlanOnly()) {
      open(request, call, tablet, plan.get());
    } else {
      call.runBlocking(() -> openGuarded(request, call, tablet, plan.get()));
    }
  }

  /**
   * The plan; empty if the schema does not fit and may be an old one, because the replica is still
   * replaying its log.
   */
  private static Optional<ScanPlan> planNow(NewScanRequestPB wanted, HostedTablet tablet) {
    boolean current = tablet.replica().isCurrent();
    try {
      return Optional.of(plan(wanted, tablet));
    } catch (RuntimeException e) {
      if (current) {
        throw e;
      }
      return Optional.empty();
    }
  }

  private static ScanPlan plan(NewScanRequestPB wanted, HostedTablet tablet) {
    TabletDescriptor descriptor = tablet.tablet().descriptor();
    return ScanPlan.of(wanted, tablet.tablet().schema(), descriptor::indexes);
  }

  private void openWhenCurrent(ScanRequestPB request, RpcCall call, HostedTablet tablet) {
    SnapshotChoice.whenCurrent(tablet, call)
        .thenApplyAsync(done -> plan(request.getNewScanRequest(), tablet), executor)
        .whenComplete(
            (plan, failure) -> {
              if (failure != null) {
                fail(call, failure);
              } else {
                openGuarded(request, call, tablet, plan);
              }
            });
  }

  private void openGuarded(
      ScanRequestPB request, RpcCall call, HostedTablet tablet, ScanPlan plan) {
    try {
      open(request, call, tablet, plan);
    } catch (RuntimeException e) {
      fail(call, e);
    }
  }

  private void open(ScanRequestPB request, RpcCall call, HostedTablet tablet, ScanPlan plan) {
    NewScanRequestPB wanted = request.getNewScanRequest();
    // Whoever only asks for a snapshot asks all tablets.
    Collection<HostedTablet> others = wanted.getPlanOnly() ? List.of() : tablets.all();
    var choice = SnapshotChoice.chooseForScan(wanted, tablet, others, clock, history, call);
    if (choice.isDone() && !choice.isCompletedExceptionally()) {
      openAt(request, call, tablet, plan, choice.join());
      return;
    }
    long startNanos = System.nanoTime();
    choice.whenCompleteAsync(
        (chosen, failure) -> {
          tablet.scans().waited(System.nanoTime() - startNanos);
          if (failure != null) {
            fail(call, failure);
          } else {
            openAt(request, call, tablet, plan, chosen);
          }
        },
        executor);
  }

  @SuppressWarnings("try") // the lease is held, not used
  private void openAt(
      ScanRequestPB request,
      RpcCall call,
      HostedTablet tablet,
      ScanPlan plan,
      SnapshotChoice choice) {
    try (ScanMemoryGate.Lease lease = memoryGate.enter(plan.maxBytes(softLimit(request)))) {
      openWithLease(request, call, tablet, plan, choice);
    } catch (RuntimeException e) {
      fail(call, e);
    }
  }

  private void openWithLease(
      ScanRequestPB request,
      RpcCall call,
      HostedTablet tablet,
      ScanPlan plan,
      SnapshotChoice choice) {
    OpenScanner scanner;
    try {
      boolean wantsReport = request.getNewScanRequest().getWantsReport();
      long diffStart = plan.diff() ? request.getNewScanRequest().getSnapStartTimestamp() : -1;
      scanner =
          new OpenScanner(
              trace(request, call, tablet, plan, choice),
              tablet.tablet().scan(inBlocks(plan.at(choice.snapshot(), diffStart), request)),
              plan.projection(),
              plan.rowFormatFlags(),
              wantsReport,
              wantsReport ? tablet.tablet().descriptor().indexes() : List.of(),
              scanners.nowNanos());
    } catch (IOException | RuntimeException e) {
      fail(call, tablet.readFailed(e));
      return;
    }
    scanner.enterFirst();
    boolean planOnly = request.getNewScanRequest().getPlanOnly();
    boolean rowsWanted = !request.hasBatchSizeBytes() || request.getBatchSizeBytes() != 0;
    if (planOnly) {
      answerWithPlan(request, call, scanner, choice.reportedTimestamp());
    } else if (rowsWanted && plan.limit() > 0) {
      answer(request, call, scanner, choice.reportedTimestamp(), true);
    } else {
      answerWithoutRows(request, call, scanner, choice.reportedTimestamp(), plan.limit() > 0);
    }
  }

  /**
   * Uses smaller blocks if the client requests less than the default reply, because a reply
   * consists of whole blocks.
   */
  private ScanSpec inBlocks(ScanSpec spec, ScanRequestPB request) {
    long asked = Integer.toUnsignedLong(request.getBatchSizeBytes());
    if (asked == 0 || asked >= limits.defaultBytes().getAsInt() || spec.collects()) {
      return spec;
    }
    int rowBytes = 1;
    for (ColumnSchema column : spec.projection().columns()) {
      rowBytes += column.type().isVariableLength() ? TEXT_BYTES : column.type().width();
    }
    int rows = Integer.highestOneBit((int) (asked / rowBytes) | 1);
    return spec.withBlockRows(Math.max(MIN_BLOCK_ROWS, rows));
  }

  private ScanTrace trace(
      ScanRequestPB request,
      RpcCall call,
      HostedTablet tablet,
      ScanPlan plan,
      SnapshotChoice choice) {
    String table = tablet.tablet().descriptor().tableName();
    return new ScanTrace(
        UUID.randomUUID().toString().replace("-", ""),
        tablet.tabletId(),
        call.caller(),
        tablet.scans(),
        ScanTrace.Query.of("SELECT", table, plan, choice.snapshot()),
        ScanTrace.queryId(request.getQueryId()),
        scanners.nowNanos());
  }

  /** Closes a scanner. Closing one that does not exist succeeds. */
  private void close(ScanRequestPB request, RpcCall call) {
    try {
      scanners.remove(find(request, call), ScanTrace.State.CLOSED);
    } catch (TabletServerError e) {
      if (e.code() != StatusCode.NOT_FOUND) {
        throw e;
      }
    }
    call.respond(
        ScanResponsePB.newBuilder()
            .setHasMoreResults(false)
            .setPropagatedTimestamp(clock.now())
            .build());
  }

  private OpenScanner find(ScanRequestPB request, RpcCall call) {
    return scanners.find(request.getScannerId().toStringUtf8(), call.caller().user());
  }

  private void proceed(ScanRequestPB request, RpcCall call) {
    try {
      proceedGuarded(request, call);
    } catch (RuntimeException e) {
      fail(call, e);
    }
  }

  @SuppressWarnings("try") // the lease is held, not used
  private void proceedGuarded(ScanRequestPB request, RpcCall call) {
    OpenScanner scanner = find(request, call);
    if (faults.unavailable().getAsBoolean()) {
      throw KuduException.serviceUnavailable(
          "Injecting service unavailable status on Scan due to"
              + " --scanner_inject_service_unavailable_on_continue_scan");
    }
    try (ScanMemoryGate.Lease lease = memoryGate.enter(softLimit(request))) {
      NextBatch next = enter(scanner, request.getCallSeqId());
      if (next == null) {
        readNow(request, call, scanner);
        return;
      }
      readAhead.take(next);
      next.batch.whenComplete(
          (batch, failure) -> answerPrepared(request, call, scanner, batch, failure));
    }
  }

  /** Answers with a batch that was read ahead; reads it now if there was no memory for that. */
  private void answerPrepared(
      ScanRequestPB request,
      RpcCall call,
      OpenScanner scanner,
      @Nullable ScanBatch batch,
      @Nullable Throwable failure) {
    if (failure != null) {
      failed(call, scanner, failure, false);
    } else if (batch == null) {
      readNow(request, call, scanner);
    } else {
      answer(request, call, scanner, batch, false);
    }
  }

  /**
   * Reads the batch of a call that has entered the scanner. Where the thread must not block, the
   * call leaves the scanner and enters it again on another thread: that thread may reject the call,
   * and a rejected call must not keep the scanner.
   */
  private void readNow(ScanRequestPB request, RpcCall call, OpenScanner scanner) {
    if (WouldBlock.isForbidden()) {
      scanner.endCall(false, false);
      call.runBlocking(() -> proceed(request, call));
    } else {
      answer(request, call, scanner, NO_TIMESTAMP, false);
    }
  }

  private @Nullable NextBatch enter(OpenScanner scanner, int sequence) {
    try {
      return scanner.enter(sequence);
    } catch (TabletServerError e) {
      scanners.remove(scanner, ScanTrace.State.FAILED);
      throw e;
    }
  }

  /**
   * Reads one batch and answers; the caller has entered the scanner.
   *
   * @param timestamp the timestamp of the snapshot, for the response; negative for none
   */
  private void answer(
      ScanRequestPB request, RpcCall call, OpenScanner scanner, long timestamp, boolean opening) {
    ScanBatch batch;
    try {
      batch = ScanBatch.read(scanner, allocator, softLimit(request), this::delay);
    } catch (WouldBlock e) { // only the first call of a scan runs where it must not block
      scanner.abandon();
      throw e;
    } catch (IOException | RuntimeException | Error e) {
      failed(call, scanner, e, opening);
      return;
    }
    if (timestamp >= 0) {
      batch.reply().setSnapTimestamp(timestamp);
    }
    answer(request, call, scanner, batch, opening);
  }

  /** Answers a call that only wants to know how a scan would read. */
  private void answerWithPlan(
      ScanRequestPB request, RpcCall call, OpenScanner scanner, long timestamp) {
    try {
      scanner.scanner().prepare();
    } catch (IOException | RuntimeException | Error e) {
      failed(call, scanner, e, true);
      return;
    }
    answerWithoutRows(request, call, scanner, timestamp, false);
  }

  /** Answers a call that opens a scan and asks for no rows yet. */
  private void answerWithoutRows(
      ScanRequestPB request, RpcCall call, OpenScanner scanner, long timestamp, boolean more) {
    ScanBatch batch;
    try {
      batch = ScanBatch.empty(scanner, allocator, more);
    } catch (RuntimeException | Error e) {
      failed(call, scanner, e, true);
      return;
    }
    if (timestamp >= 0) {
      batch.reply().setSnapTimestamp(timestamp);
    }
    answer(request, call, scanner, batch, true);
  }

  private void failed(RpcCall call, OpenScanner scanner, Throwable failure, boolean opening) {
    drop(scanner, ScanTrace.State.FAILED, opening);
    Throwable reported = tablets.readFailed(scanner.tabletId(), failure);
    // A scan that has started cannot continue on another server.
    fail(call, opening ? reported : lost(scanner, failure));
  }

  private void answer(
      ScanRequestPB request, RpcCall call, OpenScanner scanner, ScanBatch batch, boolean opening) {
    boolean more = batch.more() && !request.getCloseScanner();
    scanner.trace().recordCall(batch.nanos(), batch.rows(), batch.bytes());
    scanner.trace().scanned(scanner.scanner().rowsScanned(), scanner.scanner().bytesRead());
    batch
        .reply()
        .setHasMoreResults(more)
        .setResourceMetrics(
            ResourceMetricsPB.newBuilder()
                .setBytesRead(batch.bytesRead())
                .setQueueDurationNanos(call.queuedNanos())
                .setTotalDurationNanos(batch.nanos()))
        .setPropagatedTimestamp(clock.now());
    if (!more) {
      if (scanner.wantsReport()) {
        batch.reply().setReport(ScanReports.of(scanner));
      }
      drop(scanner, batch.more() ? ScanTrace.State.CLOSED : ScanTrace.State.COMPLETE, opening);
    } else {
      if (opening) {
        batch.reply().setScannerId(ByteString.copyFromUtf8(scanner.id()));
        scanners.add(scanner);
      }
      scanner.touch(scanners.nowNanos());
      scanner.endCall(true, opening);
    }
    if (more && !opening) {
      readAhead.start(scanner, softLimit(request), this::delay); // before the client can ask for it
    }
    call.respond(batch.reply().build(), batch.sidecars());
  }

  private void delay() {
    int millis = faults.delayMillis().getAsInt();
    if (millis > 0) {
      WouldBlock.check("an injected delay");
      try {
        Thread.sleep(millis);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * The error for a scan that has ended because of {@code failure}. Out of memory becomes
   * SCANNER_EXPIRED instead of "retry later", because a retry would use a scanner that is closed.
   */
  private static Throwable lost(OpenScanner scanner, Throwable failure) {
    return failure instanceof OutOfMemoryException
        ? new TabletServerError(
            TabletServerErrorPB.Code.SCANNER_EXPIRED,
            StatusCode.NOT_FOUND,
            "Scanner "
                + scanner.id()
                + " was closed because there was no memory to continue it ("
                + failure.getMessage()
                + "); scan again, with smaller batches")
        : failure;
  }

  private void drop(OpenScanner scanner, ScanTrace.State how, boolean opening) {
    scanners.remove(scanner, how);
    if (opening) {
      scanner.close();
    }
    scanner.endCall(false, opening);
  }

  private long softLimit(ScanRequestPB request) {
    return limits.softLimit(request.hasBatchSizeBytes(), request.getBatchSizeBytes());
  }

  public void keepAlive(ScannerKeepAliveRequestPB request, RpcCall call) {
    try {
      scanners.find(request.getScannerId().toStringUtf8(), call.caller().user());
      call.respond(ScannerKeepAliveResponsePB.getDefaultInstance());
    } catch (KuduException e) {
      TabletServerError.answer(
          call,
          e,
          error -> call.respond(ScannerKeepAliveResponsePB.newBuilder().setError(error).build()));
    }
  }

  private static void fail(RpcCall call, Throwable failure) {
    TabletServerError.answer(
        call, failure, error -> call.respond(ScanResponsePB.newBuilder().setError(error).build()));
  }
}

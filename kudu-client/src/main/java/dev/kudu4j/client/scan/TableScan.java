package dev.kudu4j.client.scan;

import com.google.protobuf.ByteString;
import dev.kudu4j.client.cluster.Cluster;
import dev.kudu4j.client.cluster.Deadline;
import dev.kudu4j.client.cluster.Failures;
import dev.kudu4j.client.cluster.RemoteReplica;
import dev.kudu4j.client.cluster.RemoteTablet;
import dev.kudu4j.client.cluster.RequestTrace;
import dev.kudu4j.client.cluster.TableTablets;
import dev.kudu4j.client.cluster.TabletCall;
import dev.kudu4j.client.cluster.TabletReply;
import dev.kudu4j.common.proto.common.ReadMode;
import dev.kudu4j.common.proto.tserver.NewScanRequestPB;
import dev.kudu4j.common.proto.tserver.RowFormatFlags;
import dev.kudu4j.common.proto.tserver.ScanRequestPB;
import dev.kudu4j.common.proto.tserver.ScanResponsePB;
import dev.kudu4j.common.proto.tserver.ScannerKeepAliveRequestPB;
import dev.kudu4j.common.proto.tserver.ScannerKeepAliveResponsePB;
import dev.kudu4j.common.proto.tserver.TabletServerFeatures;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Reads one scan, tablet by tablet and batch by batch.
 *
 * <pre>
 *   look up --> open a scanner --> continue it ..... --> look up the next tablet ... --> end
 *      ^              |                  |
 *      +--- again ----+------ lost ------+
 * </pre>
 *
 * <p>Each step is one response of a server. A scanner exists on one replica and is lost with that
 * replica. After such a loss, an ordered scan opens another scanner, on any replica and at the same
 * snapshot, and continues after the last key that it has read. A scan that has not received a row
 * of the tablet starts the tablet again. Any other scan fails with the server's error, because it
 * cannot distinguish returned rows from remaining rows. A scan of given keys may return rows twice
 * instead: its reader identifies them by their keys.
 *
 * <p>A call that may or may not have reached the server (the connection broke) is sent again
 * unchanged: the sequence number tells the server whether it has already executed the call.
 *
 * <p>One step at a time: the next one begins after the future of the previous one is done. Any
 * thread may call {@link #keepAlive} and {@link #close} at any time.
 */
public final class TableScan<B> {
  private static final long FIRST_WAIT_MILLIS = 10;
  private static final long LONGEST_WAIT_MILLIS = 500;

  private static final TabletCall<ScanResponsePB> CONTINUE =
      new TabletCall<>("Scan", ScanResponsePB.parser(), ScanResponsePB::getError, List.of(), false);
  private static final TabletCall<ScannerKeepAliveResponsePB> KEEP_ALIVE =
      new TabletCall<>(
          "ScannerKeepAlive",
          ScannerKeepAliveResponsePB.parser(),
          ScannerKeepAliveResponsePB::getError,
          List.of(),
          false);

  private final Cluster cluster;
  private final TableTablets tablets;
  private final ScanQuery query;
  private BatchDecoder<B> decoder;
  private final TabletReports reports;
  private final List<KeyInterval> intervals;

  private boolean insteadOfTable;

  // The request to open a scanner; it asks for row-wise responses once a server has rejected
  // columnar ones.
  private NewScanRequestPB template;
  private TabletCall<ScanResponsePB> open;
  private ScanQuery asked; // the part of the query that the servers can run

  // The position of the scan; written by the running step, read by the next one.
  private int interval;
  private byte[] position; // partition key from which tablets are still to be visited
  private RemoteTablet tablet; // the tablet being read; null between tablets
  private boolean anyRowOfTablet;
  private byte[] lastKey; // last key read of the tablet, if reported
  private boolean failsFast; // instead of waiting for the server of the scanner
  private boolean neverTwice; // also if keys identify the rows
  private boolean filtersHere; // this client evaluates the condition
  private long rowsLeft;
  private long snapshot;
  private long ownWrites = ScanQuery.NO_TIMESTAMP; // timestamp that each snapshot must include
  private volatile boolean exhausted;

  // The scanner at the server; also read by keepAlive and close.
  private volatile OpenScanner scanner;
  private CompletableFuture<?> running = CompletableFuture.completedFuture(null);
  private volatile boolean closed;

  /** A scanner at a server. */
  private record OpenScanner(RemoteReplica replica, ByteString id, int sequence) {
    OpenScanner next() {
      return new OpenScanner(replica, id, sequence + 1);
    }
  }

  /**
   * @param reports receives what servers report of the scan; null to ask for no report
   */
  public TableScan(
      Cluster cluster,
      TableTablets tablets,
      ScanQuery query,
      BatchDecoder<B> decoder,
      TabletReports reports) {
    this.cluster = cluster;
    this.tablets = tablets;
    this.query = query;
    this.decoder = decoder;
    this.reports = reports;
    ask(decoder.columnar(), query);
    intervals = query.intervals();
    rowsLeft = query.limit();
    snapshot = query.snapshot();
    position = intervals.isEmpty() ? new byte[0] : intervals.get(0).start();
    exhausted = intervals.isEmpty() || rowsLeft <= 0;
  }

  /** Says that this is a scan of the table of an index, instead of one of the indexed table. */
  public TableScan<B> insteadOfTable() {
    insteadOfTable = true;
    ask(isColumnar(), asked);
    return this;
  }

  private void ask(boolean columnar, ScanQuery part) {
    asked = part;
    NewScanRequestPB.Builder request = asked.toWire();
    if (columnar) {
      request.setRowFormatFlags(RowFormatFlags.COLUMNAR_LAYOUT_VALUE);
    }
    if (reports != null) {
      request.setWantsReport(true);
    }
    if (insteadOfTable) {
      request.setInsteadOfTable(true);
    }
    template = request.build();
    open =
        new TabletCall<>(
            "Scan",
            ScanResponsePB.parser(),
            ScanResponsePB::getError,
            asked.features(columnar),
            false);
  }

  /**
   * Makes a step fail as soon as the server of an open scanner cannot be reached, instead of
   * waiting for the server: the caller will read the tablet again.
   */
  public TableScan<B> failFast() {
    failsFast = true;
    return this;
  }

  /** Makes a scan of given keys fail, like any other, instead of returning rows again. */
  public TableScan<B> neverTwice() {
    neverTwice = true;
    return this;
  }

  /** The tablet whose rows are being read; null between tablets. */
  public RemoteTablet tablet() {
    return tablet;
  }

  /** The snapshot that is read, {@link ScanQuery#NO_TIMESTAMP} while none is known. */
  public long snapshot() {
    return snapshot;
  }

  /** The id of the scanner at the server; null if none is open. */
  public String scannerId() {
    OpenScanner current = scanner;
    return current == null ? null : current.id().toStringUtf8();
  }

  /** The server that holds the scanner; null if none is open. */
  public String serverId() {
    OpenScanner current = scanner;
    return current == null ? null : current.replica().serverId();
  }

  public boolean isClosed() {
    return closed;
  }

  /** Whether no further step will return a row. */
  public boolean isOver() {
    return closed || exhausted;
  }

  /** Takes the next step. Once the scan is closed, a step returns no rows. */
  public synchronized CompletableFuture<FetchedBatch<B>> next() {
    long started = System.nanoTime();
    if (closed) {
      exhausted = true;
    }
    Deadline deadline = Deadline.after(query.timeoutMillis());
    CompletableFuture<FetchedBatch<B>> step;
    if (scanner != null && !closed) {
      step = proceed(started, deadline, FIRST_WAIT_MILLIS, trace());
    } else {
      step = visit(started, deadline);
    }
    running = step;
    return step;
  }

  // ---------------------------------------------------------------- finding and opening

  private CompletableFuture<FetchedBatch<B>> visit(long started, Deadline deadline) {
    if (exhausted) {
      return CompletableFuture.completedFuture(
          new FetchedBatch<>(null, 0, false, null, null, null, millisSince(started)));
    }
    if (tablet != null) {
      return openScanner(started, deadline);
    }
    return tablets
        .at(position, deadline)
        .thenCompose(
            cover -> {
              if (cover.isGap()) {
                continueAfter(cover.end());
                return visit(started, deadline);
              }
              tablet = cover.tablet();
              anyRowOfTablet = false;
              lastKey = null;
              return openScanner(started, deadline);
            });
  }

  /** Continues after the end of a tablet or gap; an empty end is the end of the table. */
  private void continueAfter(byte[] end) {
    tablet = null;
    if (end.length == 0 || rowsLeft <= 0) {
      exhausted = true;
      return;
    }
    if (Arrays.compareUnsigned(end, position) > 0) {
      position = end;
    }
    while (interval < intervals.size()) {
      KeyInterval current = intervals.get(interval);
      if (!current.hasEnd() || Arrays.compareUnsigned(current.end(), position) > 0) {
        if (Arrays.compareUnsigned(current.start(), position) > 0) {
          position = current.start();
        }
        return;
      }
      interval++;
    }
    exhausted = true;
  }

  private CompletableFuture<FetchedBatch<B>> openScanner(long started, Deadline deadline) {
    if (query.readsOwnWrites() && ownWrites == ScanQuery.NO_TIMESTAMP) {
      ownWrites = cluster.lastTimestamp();
    }
    CompletableFuture<TabletReply<ScanResponsePB>> reply =
        cluster.call(tablet, query.replicaChoice(), open, replica -> openRequest(tablet), deadline);
    return reply
        .handle(
            (answer, failure) -> {
              if (failure == null) {
                return CompletableFuture.completedFuture(accept(answer, true, started));
              }
              return openFailed(Failures.unwrap(failure), started, deadline);
            })
        .thenCompose(step -> step);
  }

  private ScanRequestPB openRequest(RemoteTablet target) {
    NewScanRequestPB.Builder request =
        template.toBuilder().setTabletId(ByteString.copyFromUtf8(target.tabletId()));
    if (rowsLeft != Long.MAX_VALUE && !filtersHere) {
      request.setLimit(rowsLeft);
    }
    if (snapshot != ScanQuery.NO_TIMESTAMP && query.readMode() == ReadMode.READ_AT_SNAPSHOT) {
      request.setSnapTimestamp(snapshot);
    }
    if (lastKey != null && query.ordered()) {
      request.clearStartPrimaryKey().setLastPrimaryKey(ByteString.copyFrom(lastKey));
    }
    long seen = query.readsOwnWrites() ? ownWrites : cluster.lastTimestamp();
    if (seen > 0) {
      request.setPropagatedTimestamp(seen);
    }
    ScanRequestPB.Builder call =
        ScanRequestPB.newBuilder().setNewScanRequest(request).setBatchSizeBytes(query.batchBytes());
    if (query.planOnly()) {
      call.setBatchSizeBytes(0).setCloseScanner(true);
    }
    if (!query.queryId().isEmpty()) {
      call.setQueryId(ByteString.copyFromUtf8(query.queryId()));
    }
    return call.build();
  }

  /**
   * Retries with row-wise responses if the server rejects columnar ones, for all rows if it cannot
   * select the first, and without the condition if it rejects conditions and the decoder can
   * filter. If the tablet no longer exists, looks up the tablet or gap that covers its keys now.
   */
  private CompletableFuture<FetchedBatch<B>> openFailed(
      Throwable failure, long started, Deadline deadline) {
    if (ScanFailures.isRefused(failure, TabletServerFeatures.COLUMNAR_LAYOUT_FEATURE_VALUE)
        && decoder.takesRows()) {
      ask(false, asked);
      return visit(started, deadline);
    }
    if (asked.top() != null && ScanFailures.isRefused(failure, TabletServerFeatures.TOP_N_VALUE)) {
      ask(isColumnar(), asked.ofAllRows());
      return visit(started, deadline);
    }
    if (query.condition() != null
        && query.aggregation() == null
        && !filtersHere
        && ScanFailures.isConditionRefused(failure)
        && filterHere()) {
      return visit(started, deadline);
    }
    if (!ScanFailures.isGone(failure) || deadline.hasPassed() || anyRowOfTablet) {
      return CompletableFuture.failedFuture(failure);
    }
    tablets.forget(position);
    tablet = null;
    return later(FIRST_WAIT_MILLIS, () -> visit(started, deadline));
  }

  /** Drops the condition from the requests and filters rows here; false if that is not possible. */
  private boolean filterHere() {
    RowFilter filter = RowFilter.of(query);
    BatchDecoder<B> filtering = decoder.filtered(filter);
    if (filtering == null) {
      return false;
    }
    decoder = filtering;
    filtersHere = true;
    ask(isColumnar(), query.ofRows(filter.columns(), null));
    return true;
  }

  /** Whether the request asks for columnar responses. */
  private boolean isColumnar() {
    return template.getRowFormatFlags() == RowFormatFlags.COLUMNAR_LAYOUT_VALUE;
  }

  // ---------------------------------------------------------------- continuing

  private RequestTrace trace() {
    return new RequestTrace(
        "The next batch of scanner " + scannerId() + " on " + tablet.describe());
  }

  private CompletableFuture<FetchedBatch<B>> proceed(
      long started, Deadline deadline, long waitMillis, RequestTrace trace) {
    OpenScanner current = scanner;
    trace.trying(current.replica());
    ScanRequestPB request =
        ScanRequestPB.newBuilder()
            .setScannerId(current.id())
            .setCallSeqId(current.sequence())
            .setBatchSizeBytes(query.batchBytes())
            .build();
    return cluster
        .callOnce(current.replica(), CONTINUE, request, deadline, canStartAgain() || failsFast)
        .handle(
            (answer, failure) -> {
              if (failure == null) {
                return CompletableFuture.completedFuture(accept(answer, false, started));
              }
              trace.failed(current.replica(), Failures.unwrap(failure));
              return proceedFailed(Failures.unwrap(failure), started, deadline, waitMillis, trace);
            })
        .thenCompose(step -> step);
  }

  private CompletableFuture<FetchedBatch<B>> proceedFailed(
      Throwable failure, long started, Deadline deadline, long waitMillis, RequestTrace trace) {
    if (closed) {
      return CompletableFuture.failedFuture(failure);
    }
    if (ScanFailures.isTimeout(failure)
        || (ScanFailures.isTransient(failure) && deadline.hasPassed())) {
      return CompletableFuture.failedFuture(trace.timedOut());
    }
    if (deadline.hasPassed()) {
      return CompletableFuture.failedFuture(failure);
    }
    boolean scannerLost = ScanFailures.isScannerLost(failure);
    boolean transientFailure = ScanFailures.isTransient(failure);
    if (!scannerLost && !transientFailure) {
      return CompletableFuture.failedFuture(failure);
    }
    if (canStartAgain() && (scannerLost || !ScanFailures.isBusy(failure))) {
      hold(null);
      return later(scannerLost ? 0 : waitMillis, () -> visit(started, deadline));
    }
    if (scannerLost || (failsFast && !ScanFailures.isBusy(failure))) {
      return CompletableFuture.failedFuture(failure);
    }
    long longer = Math.min(LONGEST_WAIT_MILLIS, waitMillis * 2);
    return later(waitMillis, () -> proceed(started, deadline, longer, trace));
  }

  /** Whether a new scanner of this tablet can take the place of a lost one. */
  private boolean canStartAgain() {
    return !anyRowOfTablet
        || (query.ordered() && lastKey != null)
        || (!query.keys().isEmpty() && !neverTwice);
  }

  // ---------------------------------------------------------------- responses

  private FetchedBatch<B> accept(TabletReply<ScanResponsePB> reply, boolean opening, long started) {
    try (var response = reply.response()) {
      ScanResponsePB answer = response.message();
      B rows = decode(reply, opening);
      int rowCount = decoder.rowCount(rows, answer);
      observe(answer);
      if (reports != null) {
        reports.add(tablet, reply.replica(), answer);
      }
      if (rowCount > 0) {
        anyRowOfTablet = true;
        rowsLeft = rowsLeft == Long.MAX_VALUE ? rowsLeft : Math.max(0, rowsLeft - rowCount);
      }
      if (answer.hasLastPrimaryKey()) {
        lastKey = answer.getLastPrimaryKey().toByteArray();
      }
      RemoteTablet read = tablet;
      follow(reply.replica(), answer, opening);
      return new FetchedBatch<>(
          rows,
          rowCount,
          !exhausted,
          read,
          reply.replica().serverId(),
          answer.hasResourceMetrics() ? answer.getResourceMetrics() : null,
          millisSince(started));
    }
  }

  /**
   * Decodes the rows. If this fails for the response that opened a scanner, closes that scanner,
   * which {@link #scanner} does not refer to yet.
   */
  @SuppressWarnings("FutureReturnValueIgnored") // an unclosed scanner expires
  private B decode(TabletReply<ScanResponsePB> reply, boolean opening) {
    ScanResponsePB answer = reply.response().message();
    try {
      return decoder.decode(answer, reply.response().sidecars());
    } catch (RuntimeException | Error e) {
      if (opening && answer.hasScannerId()) {
        close(new OpenScanner(reply.replica(), answer.getScannerId(), 1));
      }
      throw e;
    }
  }

  private void observe(ScanResponsePB answer) {
    if (answer.hasPropagatedTimestamp()) {
      cluster.observe(answer.getPropagatedTimestamp());
    }
    if (!answer.hasSnapTimestamp()) {
      return;
    }
    if (query.readMode() == ReadMode.READ_AT_SNAPSHOT && snapshot == ScanQuery.NO_TIMESTAMP) {
      snapshot = answer.getSnapTimestamp();
    } else if (query.readsOwnWrites()) {
      snapshot = answer.getSnapTimestamp();
      cluster.observe(answer.getSnapTimestamp());
    }
  }

  @SuppressWarnings("FutureReturnValueIgnored") // an unclosed scanner expires
  private void follow(RemoteReplica replica, ScanResponsePB answer, boolean opening) {
    boolean more = answer.getHasMoreResults() && (!opening || answer.hasScannerId());
    // The server does not know the limit, or does not know that it should only plan.
    if (more && ((filtersHere && rowsLeft <= 0) || query.planOnly())) {
      close(opening ? new OpenScanner(replica, answer.getScannerId(), 1) : scanner.next());
      more = false;
    }
    if (!more) {
      hold(null);
      continueAfter(tablet.partition().end());
    } else if (opening) {
      hold(new OpenScanner(replica, answer.getScannerId(), 1));
    } else {
      hold(scanner.next());
    }
  }

  private void hold(OpenScanner now) {
    if (scanner == null && now != null) {
      cluster.activity().scannerOpened();
    } else if (scanner != null && now == null) {
      cluster.activity().scannerEnded();
    }
    scanner = now;
  }

  // ---------------------------------------------------------------- concurrent calls

  /**
   * Like {@link #keepAlive}, but does nothing while a step is running. A failure does not fail the
   * scan: the request for the next batch shows whether the scanner still exists.
   */
  @SuppressWarnings("FutureReturnValueIgnored")
  public void keepAliveIfIdle() {
    boolean idle;
    synchronized (this) {
      idle = running.isDone();
    }
    if (idle) {
      keepAlive();
    }
  }

  /**
   * Keeps the scanner at the server alive, if there is one.
   *
   * @return fails if the server no longer has the scanner, unless the scanner ended because the
   *     batch in flight was its last
   */
  public CompletableFuture<Void> keepAlive() {
    OpenScanner current = scanner;
    if (current == null) {
      return CompletableFuture.completedFuture(null);
    }
    ScannerKeepAliveRequestPB request =
        ScannerKeepAliveRequestPB.newBuilder().setScannerId(current.id()).build();
    return cluster
        .callOnce(current.replica(), KEEP_ALIVE, request, Deadline.after(query.timeoutMillis()))
        .handle(
            (reply, failure) -> {
              if (failure == null) {
                reply.response().close();
                return CompletableFuture.<Void>completedFuture(null);
              }
              return afterStep(() -> failUnlessEnded(current, failure));
            })
        .thenCompose(done -> done);
  }

  private CompletableFuture<Void> failUnlessEnded(OpenScanner asked, Throwable failure) {
    OpenScanner current = scanner;
    return current != null && current.id().equals(asked.id())
        ? CompletableFuture.failedFuture(Failures.unwrap(failure))
        : CompletableFuture.completedFuture(null);
  }

  /** Calls {@code then} after the running step, whether that succeeds or fails. */
  private CompletableFuture<Void> afterStep(Supplier<CompletableFuture<Void>> then) {
    CompletableFuture<?> last;
    synchronized (this) {
      last = running;
    }
    return last.handle((step, failure) -> then.get()).thenCompose(done -> done);
  }

  /**
   * Ends the scan. Waits for the running step, then closes the server's scanner if there still is
   * one. The server's response does not matter: an unclosed scanner expires.
   */
  public CompletableFuture<Void> close() {
    CompletableFuture<?> last;
    synchronized (this) {
      closed = true;
      last = running;
    }
    return last.handle((step, failure) -> closeScanner()).thenCompose(done -> done);
  }

  private CompletableFuture<Void> closeScanner() {
    OpenScanner current = scanner;
    if (current == null) {
      return CompletableFuture.completedFuture(null);
    }
    hold(null);
    return close(current);
  }

  private CompletableFuture<Void> close(OpenScanner ended) {
    ScanRequestPB request =
        ScanRequestPB.newBuilder()
            .setScannerId(ended.id())
            .setCallSeqId(ended.sequence())
            .setBatchSizeBytes(0)
            .setCloseScanner(true)
            .build();
    return cluster
        .callOnce(ended.replica(), CONTINUE, request, Deadline.after(query.timeoutMillis()))
        .handle(
            (reply, failure) -> {
              if (reply != null) {
                reply.response().close();
              }
              return null;
            });
  }

  private <T> CompletableFuture<T> later(long millis, Supplier<CompletableFuture<T>> step) {
    return cluster.after(millis).thenCompose(waited -> step.get());
  }

  private static long millisSince(long started) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - started);
  }
}

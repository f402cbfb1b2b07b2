package dev.kudu4j.client.parallel;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.kudu4j.client.cluster.Deadline;
import dev.kudu4j.client.cluster.RemoteReplica;
import dev.kudu4j.client.scan.FetchedBatch;
import dev.kudu4j.client.scan.KeyInterval;
import dev.kudu4j.client.scan.ScanQuery;
import dev.kudu4j.client.scan.ScanSplitter;
import dev.kudu4j.client.scan.TableScan;
import dev.kudu4j.client.stream.IdleKeepAlive;
import dev.kudu4j.client.stream.PreparedScan;
import dev.kudu4j.common.partition.Partition;
import dev.kudu4j.common.status.KuduException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * One run of a parallel scan, from the pieces to the consumer.
 *
 * <pre>
 *   pieces --> open scans --next()--> ready --> workers --> consumer
 *                  ^                                           |
 *                  +--------------- a place is free -----------+
 * </pre>
 *
 * <p>A scan needs one of {@code maxPlaces} places to fetch a batch. It holds the place while the
 * batch is in flight, ready and being consumed, so the places bound the memory. Scans without a
 * place wait for one in turn and are kept alive at their servers. Workers run on the executor while
 * there are batches to deliver, and the last one signals the end. So the end is signalled after the
 * last batch, never concurrently with a batch.
 *
 * <p>The object itself is the lock of all mutable state. Neither servers nor the consumer are
 * called under this lock.
 */
public final class ParallelRun<R, B> {
  private final PreparedScan whole;
  private final PieceSize pieceSize;
  private final BatchConverter<R, B> form;
  private final int maxScans;
  private final int maxPlaces;
  private final Delivery<B> delivery;

  @GuardedBy("this")
  private final Deque<ScanSplitter.Piece> pieces = new ArrayDeque<>(); // not opened yet

  @GuardedBy("this")
  private final Set<TableScan<R>> open = new HashSet<>();

  @GuardedBy("this")
  private final Deque<TableScan<R>> waiting = new ArrayDeque<>(); // open, without a place

  @GuardedBy("this")
  private final Deque<Ready<R>> ready = new ArrayDeque<>();

  @GuardedBy("this")
  private final Set<TableScan<R>> keptAlive = new HashSet<>();

  @GuardedBy("this")
  private int places; // number of places taken

  @GuardedBy("this")
  private int workers;

  @GuardedBy("this")
  private long demand;

  @GuardedBy("this")
  private long rowsLeft;

  @GuardedBy("this")
  private long snapshot;

  @GuardedBy("this")
  private boolean piecesKnown;

  @GuardedBy("this")
  private boolean answered;

  @GuardedBy("this")
  private boolean begun;

  @GuardedBy("this")
  private boolean ended; // failed or cancelled

  @GuardedBy("this")
  private boolean endSignalled; // the end was signalled, or the run was cancelled

  @GuardedBy("this")
  private Throwable failure;

  /**
   * How batches are delivered.
   *
   * @param maxWorkers maximum number of concurrent workers
   * @param readFailure converts a failure of the client to a public one
   * @param end called once after the last batch, with the failure or null
   */
  public record Delivery<B>(
      Executor executor,
      int maxWorkers,
      Consumer<? super B> consumer,
      Function<Throwable, ? extends Throwable> readFailure,
      Consumer<Throwable> end) {}

  private record Ready<R>(FetchedBatch<R> batch, int rows) {}

  public ParallelRun(
      PreparedScan whole,
      PieceSize pieceSize,
      BatchConverter<R, B> form,
      int maxScans,
      int maxPlaces,
      Delivery<B> delivery) {
    this.whole = whole;
    this.pieceSize = pieceSize;
    this.form = form;
    this.maxScans = maxScans;
    this.maxPlaces = maxPlaces;
    this.delivery = delivery;
    this.rowsLeft = whole.query().limit();
    this.snapshot = whole.query().snapshot();
  }

  /** Starts reading. Before this call nothing is delivered, not even the end. */
  public void begin() {
    boolean endedBefore; // cancelled, or failed by an invalid request
    synchronized (this) {
      begun = true;
      endedBefore = ended;
    }
    if (endedBefore) {
      deliver();
      return;
    }
    whole
        .splitter(Deadline.after(pieceSize.timeoutMillis()))
        .pieces(pieceSize.bytes())
        .whenComplete(
            (found, failed) -> {
              if (failed != null) {
                fail(delivery.readFailure().apply(failed));
                return;
              }
              synchronized (this) {
                pieces.addAll(inTurn(found));
                piecesKnown = true;
              }
              goOn();
            });
  }

  /**
   * Orders the pieces round-robin by server, so that concurrent scans keep several servers busy.
   */
  private static List<ScanSplitter.Piece> inTurn(List<ScanSplitter.Piece> found) {
    Map<String, Deque<ScanSplitter.Piece>> servers = new LinkedHashMap<>();
    for (ScanSplitter.Piece piece : found) {
      RemoteReplica leader = piece.tablet().leader();
      String server = leader == null ? "" : leader.serverId();
      servers.computeIfAbsent(server, id -> new ArrayDeque<>()).add(piece);
    }
    List<ScanSplitter.Piece> ordered = new ArrayList<>(found.size());
    while (ordered.size() < found.size()) {
      for (Deque<ScanSplitter.Piece> left : servers.values()) {
        if (!left.isEmpty()) {
          ordered.add(left.poll());
        }
      }
    }
    return ordered;
  }

  /** Allows the delivery of more batches. */
  public void request(long batches) {
    if (batches <= 0) {
      fail(new IllegalArgumentException("Need a number of batches above 0, got " + batches));
      return;
    }
    synchronized (this) {
      demand = demand + batches < 0 ? Long.MAX_VALUE : demand + batches;
    }
    deliver();
  }

  /** Stops reading without signalling the end; closes the scanners that are still open. */
  public void cancel() {
    synchronized (this) {
      endSignalled = true;
    }
    end(null);
  }

  private void fail(Throwable cause) {
    end(cause);
    deliver();
  }

  @SuppressWarnings("FutureReturnValueIgnored") // an unclosed scanner expires
  private void end(Throwable cause) {
    List<TableScan<R>> closing;
    synchronized (this) {
      if (ended) {
        return;
      }
      ended = true;
      failure = cause;
      closing = List.copyOf(open);
      open.clear();
      waiting.clear();
      keptAlive.clear();
      pieces.clear();
      ready.forEach(left -> form.discard(left.batch()));
      ready.clear();
    }
    closing.forEach(TableScan::close);
  }

  // ---------------------------------------------------------------- reading

  private void goOn() {
    List<TableScan<R>> next = new ArrayList<>();
    synchronized (this) {
      while (!ended && places < maxPlaces) {
        TableScan<R> scan = waiting.isEmpty() ? openAnother() : waiting.poll();
        if (scan == null) {
          break;
        }
        places++;
        next.add(scan);
      }
    }
    next.forEach(this::fetch);
    deliver();
  }

  /**
   * Opens a scan of the next piece; null if none may be opened now. If the server of the first scan
   * chooses the snapshot, no other scan is opened before its response.
   */
  @GuardedBy("this")
  private TableScan<R> openAnother() {
    boolean mustWait = whole.query().sharesSnapshot() && !answered && !open.isEmpty();
    if (pieces.isEmpty() || open.size() >= maxScans || mustWait) {
      return null;
    }
    ScanSplitter.Piece piece = pieces.poll();
    Partition partition = piece.tablet().partition();
    ScanQuery part =
        whole
            .query()
            .part(
                new KeyInterval(partition.start(), partition.end()),
                piece.keys(),
                snapshot,
                rowsLeft);
    TableScan<R> scan = whole.scan(part, form.decoder());
    open.add(scan);
    return scan;
  }

  private void fetch(TableScan<R> scan) {
    scan.next().whenComplete((batch, failed) -> arrived(scan, batch, failed));
  }

  private void arrived(TableScan<R> scan, FetchedBatch<R> batch, Throwable failed) {
    boolean wanted;
    boolean enough = false;
    synchronized (this) {
      wanted = open.contains(scan);
      if (!wanted) {
        discard(batch);
      } else if (failed == null) {
        enough = accept(scan, batch);
      }
    }
    if (!wanted) {
      deliver(); // the end may have been delayed until this place was free
      return;
    }
    if (failed != null) {
      fail(delivery.readFailure().apply(failed));
      return;
    }
    if (enough) {
      stopReading();
    }
    goOn();
  }

  /**
   * Releases a place and frees its batch.
   *
   * @param batch null if none arrived
   */
  @GuardedBy("this")
  private void discard(FetchedBatch<R> batch) {
    places--;
    if (batch != null) {
      form.discard(batch);
    }
  }

  /**
   * @return whether the limit is reached
   */
  @GuardedBy("this")
  private boolean accept(TableScan<R> scan, FetchedBatch<R> batch) {
    answered = true;
    if (snapshot == ScanQuery.NO_TIMESTAMP && whole.query().sharesSnapshot()) {
      snapshot = scan.snapshot();
    }
    if (batch.hasMore()) {
      waiting.add(scan);
      keepAlive(scan);
    } else {
      open.remove(scan);
      keptAlive.remove(scan);
    }
    int rows = (int) Math.min(batch.rowCount(), rowsLeft);
    if (rows == 0) {
      discard(batch);
      return false;
    }
    ready.add(new Ready<>(batch, rows));
    rowsLeft -= rowsLeft == Long.MAX_VALUE ? 0 : rows;
    return rowsLeft == 0;
  }

  @GuardedBy("this")
  private void keepAlive(TableScan<R> scan) {
    if (keptAlive.add(scan)) {
      IdleKeepAlive.begin(scan, whole.cluster(), whole.keepAlivePeriodMillis());
    }
  }

  /** Stops reading, because the ready batches reach the limit. */
  @SuppressWarnings("FutureReturnValueIgnored") // an unclosed scanner expires
  private void stopReading() {
    List<TableScan<R>> closing;
    synchronized (this) {
      closing = List.copyOf(open);
      open.clear();
      waiting.clear();
      keptAlive.clear();
      pieces.clear();
    }
    closing.forEach(TableScan::close);
  }

  // ---------------------------------------------------------------- delivery

  /**
   * Starts workers for the batches that can be delivered. If the run is over, starts one worker,
   * which signals the end.
   */
  private void deliver() {
    int more;
    synchronized (this) {
      if (!begun) {
        return;
      }
      if (isOver()) {
        more = workers == 0 && !endSignalled ? 1 : 0;
      } else { // assumes that running workers are busy; a worker without a batch ends
        long todo = Math.min(demand, ready.size());
        more = (int) Math.min(todo, delivery.maxWorkers() - workers);
      }
      workers += more;
    }
    for (int i = 0; i < more; i++) {
      try {
        delivery.executor().execute(this::work);
      } catch (RuntimeException e) { // the executor rejects tasks
        refused(e);
      }
    }
  }

  /** If the executor rejects a worker, this thread signals the end. */
  private void refused(RuntimeException cause) {
    end(cause);
    work();
  }

  /**
   * Whether the run has ended early, or everything is read and every place is free. Requests in
   * flight when the limit is reached are awaited too: their responses briefly use the consumer's
   * allocator, which the consumer may close after the end.
   */
  @GuardedBy("this")
  private boolean isOver() {
    return ended || (piecesKnown && pieces.isEmpty() && open.isEmpty() && places == 0);
  }

  private void work() {
    for (Ready<R> next = take(); next != null; next = take()) {
      try {
        delivery.consumer().accept(form.give(next.batch(), next.rows()));
      } catch (Throwable e) {
        fail(e instanceof KuduException ? delivery.readFailure().apply(e) : e);
      }
      synchronized (this) {
        places--;
      }
      goOn();
    }
  }

  /** The next batch to deliver. If there is none, returns null and the worker ends. */
  private Ready<R> take() {
    Throwable cause;
    synchronized (this) {
      Ready<R> next = demand > 0 ? ready.poll() : null;
      if (next != null) {
        demand -= demand == Long.MAX_VALUE ? 0 : 1;
        return next;
      }
      workers--;
      if (workers > 0 || endSignalled || !isOver()) {
        return null;
      }
      endSignalled = true;
      cause = failure;
    }
    delivery.end().accept(cause);
    return null;
  }
}

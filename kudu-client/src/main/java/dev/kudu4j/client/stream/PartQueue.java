package dev.kudu4j.client.stream;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.kudu4j.client.cluster.RemoteTablet;
import dev.kudu4j.client.scan.FetchedBatch;
import dev.kudu4j.client.scan.RowBatch;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Parts of a scan, which are read one after the other, while the first batches of the next ones are
 * fetched.
 *
 * <pre>
 *   part 0          part 1 ... 15           part 16 ...
 *   being read      first batch fetched     not open
 * </pre>
 *
 * <p>One caller at a time; any thread may call {@link #close} and {@link #keepAlive}. Batches are
 * on the heap, so those that nobody reads need not be released.
 */
final class PartQueue {
  /** How many parts are open at most. */
  private static final int MAX_OPEN = 16;

  /** For first batches that wait. */
  private static final int MAX_WAITING_BYTES = 32 << 20;

  private static final int USUAL_BATCH_BYTES = 1 << 20;

  private static final FetchedBatch<RowBatch> NOTHING =
      new FetchedBatch<>(null, 0, false, null, null, null, 0);

  @GuardedBy("this")
  private final Deque<Supplier<BatchStream<RowBatch>>> waiting;

  @GuardedBy("this")
  private final Deque<Part> open = new ArrayDeque<>();

  @GuardedBy("this")
  private boolean closed;

  private volatile BatchStream<RowBatch> last; // the one that was read last; null at first

  private static final class Part {
    final BatchStream<RowBatch> batches;
    CompletableFuture<FetchedBatch<RowBatch>> first; // null once it was read

    Part(BatchStream<RowBatch> batches) {
      this.batches = batches;
      this.first = batches.nextBatch();
    }

    CompletableFuture<FetchedBatch<RowBatch>> next() {
      CompletableFuture<FetchedBatch<RowBatch>> batch = first;
      first = null;
      return batch == null ? batches.nextBatch() : batch;
    }
  }

  private final int maxOpen;

  /**
   * @param parts open a part
   * @param batchBytes about the size of a batch; 0 if the servers choose it
   */
  PartQueue(Collection<Supplier<BatchStream<RowBatch>>> parts, int batchBytes) {
    this.waiting = new ArrayDeque<>(parts);
    this.maxOpen =
        Math.max(
            1, Math.min(MAX_OPEN, MAX_WAITING_BYTES / Math.max(USUAL_BATCH_BYTES, batchBytes)));
  }

  /** The next batch; one without rows and tablet if there are no parts, or this is closed. */
  CompletableFuture<FetchedBatch<RowBatch>> next() {
    CompletableFuture<FetchedBatch<RowBatch>> batch;
    synchronized (this) {
      openMore();
      if (closed || open.isEmpty()) {
        return CompletableFuture.completedFuture(NOTHING);
      }
      last = open.getFirst().batches;
      batch = open.getFirst().next();
    }
    return batch.thenApply(
        arrived -> {
          if (!arrived.hasMore()) {
            endFirst();
          }
          return arrived;
        });
  }

  private synchronized void endFirst() {
    open.poll(); // none if this was closed
    openMore();
  }

  @GuardedBy("this")
  private void openMore() {
    while (!closed && open.size() < maxOpen && !waiting.isEmpty()) {
      open.add(new Part(waiting.poll().get()));
    }
  }

  /**
   * Opens the first parts, and completes when their first batches have arrived. Fails if one of
   * them has.
   */
  synchronized CompletableFuture<Void> openFirst() {
    openMore();
    return CompletableFuture.allOf(
        open.stream().map(part -> part.first).toArray(CompletableFuture[]::new));
  }

  /** Whether the first part has answered, and no other one has failed. */
  synchronized boolean isAnswering() {
    return !closed
        && !open.isEmpty()
        && open.getFirst().first.isDone()
        && open.stream().noneMatch(part -> part.first.isCompletedExceptionally());
  }

  /** Whether the last batch of the last part has been returned. */
  synchronized boolean isOver() {
    return closed || (open.isEmpty() && waiting.isEmpty());
  }

  /** The snapshot of the part that was read last; the given one before the first batch. */
  long snapshot(long unknown) {
    BatchStream<RowBatch> read = last;
    return read == null ? unknown : read.scan().snapshot();
  }

  /** The tablet of the batch that was returned last; null if there is none. */
  RemoteTablet currentTablet() {
    BatchStream<RowBatch> read = last;
    return read == null ? null : read.currentTablet();
  }

  /** See {@link RowStream#serverId}. */
  String serverId() {
    BatchStream<RowBatch> read = last;
    return read == null ? null : read.scan().serverId();
  }

  /** See {@link RowStream#scannerId}. */
  String scannerId() {
    BatchStream<RowBatch> read = last;
    return read == null ? null : read.scan().scannerId();
  }

  CompletableFuture<Void> close() {
    List<Part> ended;
    synchronized (this) {
      closed = true;
      ended = new ArrayList<>(open);
      open.clear();
      waiting.clear();
    }
    return CompletableFuture.allOf(
        ended.stream().map(part -> part.batches.close()).toArray(CompletableFuture[]::new));
  }

  synchronized CompletableFuture<Void> keepAlive() {
    return CompletableFuture.allOf(
        open.stream()
            .map(part -> part.batches.scan().keepAlive())
            .toArray(CompletableFuture[]::new));
  }
}

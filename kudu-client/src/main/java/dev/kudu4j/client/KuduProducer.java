package dev.kudu4j.client;

import dev.kudu4j.client.SessionConfiguration.FlushMode;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Commits batches of blind changes (self-consistent updates, as the LazyBase paper calls them): in
 * the order in which it gets them, each at one timestamp over all its tables, each exactly once,
 * also when calls are repeated after failures.
 *
 * <pre>{@code
 * try (KuduProducer producer = client.newProducer("sensors-3")) {
 *   KuduBatch batch = producer.newBatch();
 *   batch.add(upsertOfReading).add(upsertOfSensor);
 *   batch.commit();
 * }
 * }</pre>
 *
 * <p>A batch is a {@link KuduTransaction} that the producer begins, and begins again after
 * conflicts with others. While one batch is being committed, the rows of the next are sent. Rows of
 * one partition key are a single write, which is atomic by itself, unless the producer has a name.
 *
 * <p>A producer with a name survives its process: {@link #lastCommitted} tells the next one where
 * to go on. The names are rows of a table, {@value ProducerLog#TABLE}.
 *
 * <p>After a failure a producer takes no more batches, and those that wait fail: otherwise a gap
 * would remain. Not thread-safe: one thread commits.
 */
public final class KuduProducer implements AutoCloseable {
  private static final int UNDER_WAY = 2;
  private static final int MAX_SINGLE_WRITE_BYTES = 64 << 10;

  /** Batches that are not sent early after one that met a key of the batch before it. */
  private static final int SKIP_EARLY = 16;

  private final KuduClient client;
  private final @Nullable ProducerLog log;
  private final ExecutorService sender = worker("kudu-producer-send");
  private final ExecutorService committer = worker("kudu-producer-commit");
  private final Semaphore underWay = new Semaphore(UNDER_WAY);
  private volatile @Nullable Turn latest;
  private final AtomicLong committed;
  private volatile @Nullable KuduException broken;

  /** A batch, as those before and after it see it. */
  private final class Turn implements BatchCommit.Progress {
    /** A transaction with its rows that was begun before its turn, or null. */
    private final AtomicReference<@Nullable KuduTransaction> early = new AtomicReference<>();

    /** Completes when the servers have accepted all rows, or the batch has failed. */
    private final CompletableFuture<Void> accepted = new CompletableFuture<>();

    @Override
    public void rowsAccepted() {
      accepted.complete(null);
    }

    /** The batch after this one may hold keys that this one needs, and waits for its turn. */
    @Override
    public void begunAgain() {
      Turn next = latest;
      if (next != null && next != this) {
        BatchCommit.discard(next.early.getAndSet(null));
      }
    }
  }

  /** Used by the sending thread only. */
  private int skipEarly;

  private KuduProducer(KuduClient client, @Nullable ProducerLog log, long committed) {
    this.client = client;
    this.log = log;
    this.committed = new AtomicLong(committed);
  }

  static KuduProducer anonymous(KuduClient client) {
    return new KuduProducer(client, null, 0);
  }

  static KuduProducer named(KuduClient client, String name) throws KuduException {
    ProducerLog log = ProducerLog.open(client, name);
    return new KuduProducer(client, log, log.takeOver());
  }

  private static ExecutorService worker(String name) {
    return Executors.newSingleThreadExecutor(
        task -> {
          Thread thread = new Thread(task, name);
          thread.setDaemon(true);
          return thread;
        });
  }

  /** An empty batch. */
  public KuduBatch newBatch() {
    return new KuduBatch(this);
  }

  /**
   * How many batches are committed: of all producers of this name so far, or of this one if it has
   * none.
   */
  public long lastCommitted() {
    return committed.get();
  }

  void checkUsable() {
    KuduException failure = broken;
    if (failure != null) {
      throw new IllegalStateException(
          "The producer takes no more batches, because one failed: " + failure.getMessage(),
          failure);
    }
  }

  void commit(List<Operation> rows) throws KuduException {
    checkNotClosed();
    if (underWay.availablePermits() == UNDER_WAY) {
      carryOut(rows, new Turn()); // nothing is under way, so no other thread is needed
      return;
    }
    try {
      commitAsync(rows).get();
    } catch (InterruptedException e) {
      throw interrupted(e);
    } catch (ExecutionException e) {
      throw KuduException.of(e);
    }
  }

  CompletableFuture<Void> commitAsync(List<Operation> rows) throws KuduException {
    checkNotClosed();
    try {
      underWay.acquire();
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
    Turn before = latest;
    Turn turn = new Turn();
    latest = turn;
    CompletableFuture<Void> early;
    try {
      early = CompletableFuture.runAsync(() -> stageEarly(rows, before, turn), sender);
    } catch (RuntimeException e) {
      underWay.release();
      throw e;
    }
    return early
        .thenRunAsync(
            () -> {
              try {
                carryOut(rows, turn);
              } catch (KuduException e) {
                throw new CompletionException(e);
              }
            },
            committer)
        .whenComplete((done, failure) -> underWay.release());
  }

  private void checkNotClosed() {
    if (sender.isShutdown()) {
      throw new IllegalStateException("The producer is closed");
    }
  }

  /** The caller does not wait for the batch, and so does not know whether it is committed. */
  private KuduException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    broken =
        new NonRecoverableException(
            Status.Aborted("Interrupted; it is not known whether the batch is committed"), e);
    return broken;
  }

  /**
   * Sends rows while the batch before is being committed. If it began while that one's rows are
   * being sent, each of the two could wait for keys of the other.
   */
  private void stageEarly(List<Operation> rows, @Nullable Turn before, Turn turn) {
    try {
      if (rows.isEmpty() || isSingleWrite(rows)) {
        return;
      }
      if (skipEarly > 0) {
        skipEarly--;
        return;
      }
      if (before != null) {
        before.accepted.join();
      }
      if (broken == null) {
        turn.early.set(new BatchCommit(client, rows, null).stage());
      }
    } catch (KuduException | RuntimeException e) {
      skipEarly = SKIP_EARLY; // it is sent again when it is its turn, and fails then if it must
    }
  }

  /** Commits a batch whose turn it is. */
  private void carryOut(List<Operation> rows, Turn turn) throws KuduException {
    KuduTransaction early = turn.early.getAndSet(null);
    try {
      checkUsable();
      if (isSingleWrite(rows)) {
        write(rows);
      } else if (log != null || !rows.isEmpty()) {
        new BatchCommit(client, rows, log == null ? null : log.advanceFrom(committed.get()))
            .run(early, turn);
      }
      committed.incrementAndGet();
    } catch (KuduException | RuntimeException e) {
      BatchCommit.discard(early);
      if (broken == null) {
        broken = KuduException.of(e);
      }
      throw e;
    } finally {
      turn.rowsAccepted();
    }
  }

  /** Rows of one partition key are in one tablet for ever, and their write has one timestamp. */
  private boolean isSingleWrite(List<Operation> rows) {
    if (log != null || rows.isEmpty()) {
      return false;
    }
    Operation first = rows.get(0);
    if (rows.size() > 1 && first.getTable().getIndexes().stream().anyMatch(KuduIndex::isUnique)) {
      return false; // one row of the write could be refused
    }
    byte[] key = first.partitionKey();
    long bytes = 0;
    for (Operation each : rows) {
      bytes += each.rowBytes();
      if (bytes > MAX_SINGLE_WRITE_BYTES
          || each.getTable() != first.getTable()
          || (each != first && !Arrays.equals(key, each.partitionKey()))) {
        return false;
      }
    }
    return true;
  }

  private void write(List<Operation> rows) throws KuduException {
    KuduSession session = client.newSession();
    session.setFlushMode(FlushMode.MANUAL_FLUSH);
    session.setMutationBufferSpace(rows.size(), -1);
    for (Operation each : rows) {
      session.apply(each);
    }
    for (OperationResponse response : session.close()) {
      if (response.hasRowError()) {
        throw new NonRecoverableException(response.getRowError().getErrorStatus());
      }
    }
  }

  /** Waits for batches that are under way. */
  @Override
  public void close() {
    sender.shutdown();
    underWay.acquireUninterruptibly(UNDER_WAY);
    underWay.release(UNDER_WAY);
    committer.shutdown();
  }
}

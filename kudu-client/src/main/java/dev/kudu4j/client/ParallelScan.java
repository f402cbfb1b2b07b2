package dev.kudu4j.client;

import dev.kudu4j.client.cluster.Cluster;
import dev.kudu4j.client.parallel.BatchConverter;
import dev.kudu4j.client.parallel.ParallelRun;
import dev.kudu4j.client.parallel.PieceSize;
import dev.kudu4j.client.scan.CellLayout;
import dev.kudu4j.client.scan.FetchedBatch;
import dev.kudu4j.client.scan.RowBatch;
import dev.kudu4j.client.scan.RowBatchDecoder;
import dev.kudu4j.client.stream.PreparedScan;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;

/**
 * Reads the pieces of a scan in parallel, no faster than their batches are consumed. Rows arrive in
 * no particular order.
 *
 * <pre>{@code
 * LongAdder sum = new LongAdder();
 * client.newScanTokenBuilder(table).parallel()
 *     .scanners(8)
 *     .forEachBatch(rows -> rows.forEach(row -> sum.add(row.getLong("amount"))));
 * }</pre>
 *
 * <p>Batches can be consumed in three ways: in the calling thread, on an executor, or through a
 * {@link Flow.Publisher}. Each call starts a new scan of all pieces. At most {@link #batches}
 * batches of all tablets together are requested, waiting or being consumed at any time. A failed
 * request ends the whole scan, and so does a consumer that throws; the scanners at the servers are
 * then closed. Each piece is read with the builder's options; a snapshot scan reads all pieces at
 * one snapshot.
 *
 * <p>Immutable: the methods that change a setting return another object.
 *
 * @param <B> a batch; the consumer owns it once it is delivered
 */
public final class ParallelScan<B> implements Flow.Publisher<B> {
  private static final int DEFAULT_SCANNERS = 4;
  private static final int BATCHES_PER_SCANNER = 2;

  private final PreparedScan scan;
  private final PieceSize pieces;
  private final BatchConverter<?, B> form;
  private final int scanners;
  private final int batches; // 0 for BATCHES_PER_SCANNER per scanner
  private final Executor executor;

  private ParallelScan(
      PreparedScan scan,
      PieceSize pieces,
      BatchConverter<?, B> form,
      int scanners,
      int batches,
      Executor executor) {
    this.scan = scan;
    this.pieces = pieces;
    this.form = form;
    this.scanners = scanners;
    this.batches = batches;
    this.executor = executor;
  }

  static <B> ParallelScan<B> of(PreparedScan scan, PieceSize pieces, BatchConverter<?, B> form) {
    return new ParallelScan<>(scan, pieces, form, DEFAULT_SCANNERS, 0, ForkJoinPool.commonPool());
  }

  static ParallelScan<RowResultIterator> ofRows(ScanDescription described, PieceSize pieces) {
    CellLayout layout = new CellLayout(described.scan().query().projection());
    RowBatchDecoder decoder = RowBatchDecoder.ofEither(layout);
    return of(
        described.scan(),
        pieces,
        new BatchConverter<RowBatch, RowResultIterator>() {
          @Override
          public RowBatchDecoder decoder() {
            return decoder;
          }

          @Override
          public RowResultIterator give(FetchedBatch<RowBatch> fetched, int rows) {
            return RowResultIterator.of(fetched, rows, described.projection(), layout);
          }
        });
  }

  /** Sets how many pieces are read concurrently; default 4. */
  public ParallelScan<B> scanners(int count) {
    checkPositive(count);
    return new ParallelScan<>(scan, pieces, form, count, batches, executor);
  }

  /**
   * Sets how many batches may be requested, waiting or being consumed at any time; default two per
   * scanner. The builder's {@code batchSizeBytes} sets the size of a batch.
   */
  public ParallelScan<B> batches(int count) {
    checkPositive(count);
    return new ParallelScan<>(scan, pieces, form, scanners, count, executor);
  }

  /**
   * Sets the executor that calls subscribers, by default the JVM's common pool. Subscribers may
   * block.
   */
  public ParallelScan<B> executor(Executor value) {
    return new ParallelScan<>(scan, pieces, form, scanners, batches, Objects.requireNonNull(value));
  }

  private static void checkPositive(int count) {
    if (count <= 0) {
      throw new IllegalArgumentException("Need a number above 0, got " + count);
    }
  }

  private int maxBatches() {
    return batches == 0 ? BATCHES_PER_SCANNER * scanners : batches;
  }

  /**
   * Passes every batch to the consumer in the calling thread. Returns after the last one.
   *
   * @throws KuduException if a piece cannot be read or the thread is interrupted
   */
  public void forEachBatch(Consumer<? super B> consumer) throws KuduException {
    if (Cluster.isClientThread()) {
      throw new IllegalStateException(
          "A client thread must not block on the client; use an executor of your own");
    }
    BlockingQueue<Runnable> here = new LinkedBlockingQueue<>();
    CompletableFuture<Void> all = begin(consumer, here::add, 1);
    all.whenComplete((done, failure) -> here.add(() -> {}));
    try {
      while (!all.isDone()) {
        here.take().run();
      }
      all.get();
    } catch (InterruptedException e) {
      all.cancel(false);
      throw KuduException.of(e).withCallerStackTrace();
    } catch (ExecutionException e) {
      throw rethrowOrConvert(e.getCause());
    }
  }

  /**
   * Rethrows an unchecked exception or error, which comes from the consumer, unchanged; returns any
   * other failure as a {@link KuduException}.
   */
  private static KuduException rethrowOrConvert(Throwable failure) {
    if (failure instanceof KuduException known) {
      return known.withCallerStackTrace();
    }
    if (failure instanceof RuntimeException own) {
      throw own;
    }
    if (failure instanceof Error error) {
      throw error;
    }
    return KuduException.of(failure);
  }

  /**
   * Passes every batch to the consumer on the executor, with up to {@link #scanners} concurrent
   * calls.
   *
   * @return completes after the last batch was consumed; cancel it to stop the scan
   */
  public CompletableFuture<Void> forEachBatch(Consumer<? super B> consumer, Executor workers) {
    return begin(consumer, Objects.requireNonNull(workers), scanners);
  }

  private CompletableFuture<Void> begin(
      Consumer<? super B> consumer, Executor workers, int maxWorkers) {
    CompletableFuture<Void> all = new CompletableFuture<>();
    ParallelRun<?, B> run =
        run(
            workers,
            maxWorkers,
            Objects.requireNonNull(consumer),
            failure -> {
              if (failure == null) {
                all.complete(null);
              } else {
                all.completeExceptionally(failure);
              }
            });
    all.whenComplete(
        (done, failure) -> {
          if (all.isCancelled()) {
            run.cancel();
          }
        });
    run.request(Long.MAX_VALUE);
    run.begin();
    return all;
  }

  /**
   * Starts a scan for one subscriber. The subscriber is called on the {@link #executor}, one call
   * at a time, and receives as many batches as it has requested; a batch counts as consumed when
   * {@code onNext} returns.
   */
  @Override
  public void subscribe(Flow.Subscriber<? super B> subscriber) {
    ParallelRun<?, B> run =
        run(
            executor,
            1,
            subscriber::onNext,
            failure -> {
              if (failure == null) {
                subscriber.onComplete();
              } else {
                subscriber.onError(failure);
              }
            });
    subscriber.onSubscribe(
        new Flow.Subscription() {
          @Override
          public void request(long n) {
            run.request(n);
          }

          @Override
          public void cancel() {
            run.cancel();
          }
        });
    run.begin();
  }

  private ParallelRun<?, B> run(
      Executor workers, int maxWorkers, Consumer<? super B> consumer, Consumer<Throwable> end) {
    return run(
        form, new ParallelRun.Delivery<>(workers, maxWorkers, consumer, KuduException::of, end));
  }

  private <R> ParallelRun<R, B> run(
      BatchConverter<R, B> batchForm, ParallelRun.Delivery<B> delivery) {
    return new ParallelRun<>(scan, pieces, batchForm, scanners, maxBatches(), delivery);
  }
}

package dev.kudu4j.tserver.scan;

import dev.kudu4j.server.memory.ScanMemoryGate;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Prepares the next batch of a scan while the last one is on its way to the client and is read
 * there. A scan then takes as long as the slower of server and client, not as long as both.
 *
 * <p>A batch is prepared only for a scanner whose client has asked for a second batch, one at a
 * time for each scanner, and only while scans use little of their memory: a prepared batch cannot
 * be dropped without the scan. Thread-safe.
 */
public final class ReadAhead {
  /** The share of the scans' memory above which no batch is prepared. */
  private static final double MAX_MEMORY_SHARE = 0.5;

  private final ScanMemoryGate gate;
  private final BufferAllocator allocator;
  private final Executor executor;
  private final BooleanSupplier enabled;
  private final LongAdder prepared = new LongAdder();
  private final LongAdder taken = new LongAdder();
  private final LongAdder ready = new LongAdder();

  /**
   * @param allocator the allocator of batches that are being sent; outlives every response
   * @param executor prepares batches
   * @param enabled may change at any time
   */
  public ReadAhead(
      ScanMemoryGate gate, BufferAllocator allocator, Executor executor, BooleanSupplier enabled) {
    this.gate = gate;
    this.allocator = allocator;
    this.executor = executor;
    this.enabled = enabled;
  }

  /**
   * Starts to prepare the next batch of a scanner, unless it is closing or has one.
   *
   * @param delay runs before the batch is read; injected by tests
   */
  void start(OpenScanner scanner, long softLimit, Runnable delay) {
    NextBatch next = new NextBatch();
    if (!enabled.getAsBoolean() || !scanner.announce(next)) {
      return;
    }
    try {
      executor.execute(() -> prepare(scanner, next, softLimit, delay));
    } catch (RejectedExecutionException e) {
      // The server is stopping. The next call finds no prepared batch and reads one itself.
    }
  }

  private void prepare(OpenScanner scanner, NextBatch next, long softLimit, Runnable delay) {
    if (!scanner.beginNext(next)) {
      return; // a call was faster, or the scanner was closed
    }
    @Nullable ScanBatch batch = null;
    @Nullable Throwable failure = null;
    try (ScanMemoryGate.Lease lease = gate.tryEnter(softLimit, MAX_MEMORY_SHARE)) {
      if (lease != null) {
        batch = ScanBatch.read(scanner, allocator, softLimit, delay);
        prepared.increment();
      }
    } catch (Throwable e) { // the call that asks for the batch reports it
      failure = e;
    }
    scanner.endNext();
    if (failure == null) {
      next.batch.complete(batch);
    } else {
      next.batch.completeExceptionally(failure);
    }
  }

  /** Records that a call takes the batch. */
  void take(NextBatch next) {
    taken.increment();
    if (next.batch.isDone()) {
      ready.increment();
    }
  }

  /** Registers the counters in the registry. */
  public void publish(MeterRegistry target) {
    FunctionCounter.builder("kudu.scan.batches.read.ahead", prepared, LongAdder::sum)
        .register(target);
    FunctionCounter.builder("kudu.scan.batches.read.ahead.taken", taken, LongAdder::sum)
        .register(target);
  }

  /** The number of batches prepared so far. */
  long prepared() {
    return prepared.sum();
  }

  /** The number of calls so far that took a batch which was prepared or being prepared. */
  long taken() {
    return taken.sum();
  }

  /** The number of those calls whose batch was ready. */
  long ready() {
    return ready.sum();
  }
}

package dev.kudu4j.server.memory;

import dev.kudu4j.common.status.KuduException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Admits calls of scans while there is memory for them, so an admitted call always has enough
 * memory. If a call failed half-way, the client would lose the scan; a call that is rejected here
 * can be retried.
 *
 * <pre>
 *   held by scans now  +  expected by the running calls  +  by this one   &lt;=  limit
 * </pre>
 *
 * <p>Memory that running calls already hold counts twice. The sum is thus too high rather than too
 * low, which leaves room for a batch that is copied while it grows. Thread-safe.
 */
public final class ScanMemoryGate {
  /**
   * The maximum memory of a call, in batches. A call holds a batch, its copy while it grows, and
   * its wire format.
   */
  private static final int BATCHES_OF_CALL = 4;

  private final LongSupplier used;
  private final long limitBytes;
  private final AtomicLong expected = new AtomicLong();

  /** The memory reserved for a call. Closed once, when the reply is being sent. */
  public final class Lease implements AutoCloseable {
    private final long bytes;

    private Lease(long bytes) {
      this.bytes = bytes;
    }

    @Override
    public void close() {
      expected.addAndGet(-bytes);
    }
  }

  /**
   * @param used returns the bytes that scans currently hold; must be cheap and callable from any
   *     thread
   * @param limitBytes the limit of the bytes that scans hold
   */
  public ScanMemoryGate(LongSupplier used, long limitBytes) {
    this.used = used;
    this.limitBytes = limitBytes;
  }

  /**
   * The maximum size of a batch. A call with such a batch reserves half of the limit, so it is
   * admitted while other scans hold and expect at most the other half.
   */
  public long maxBatchBytes() {
    return limitBytes / (2 * BATCHES_OF_CALL);
  }

  /**
   * Reserves the memory of a call.
   *
   * @param batchBytes the maximum size of the call's batch
   * @throws KuduException SERVICE_UNAVAILABLE if there is not enough memory; the client may repeat
   *     the call if the call has not changed any state yet
   */
  public Lease enter(long batchBytes) {
    Lease lease = tryEnter(batchBytes, 1);
    if (lease == null) {
      throw KuduException.serviceUnavailable(
          "Scans use %d bytes and expect %d more, of at most %d on this server; try again later",
          used.getAsLong(), expected.get(), limitBytes);
    }
    return lease;
  }

  /**
   * Reserves the memory of a call, unless scans would then use more than a share of their limit.
   *
   * @param batchBytes the maximum size of the call's batch
   * @param share the share, from 0 to 1
   * @return null if there is not enough memory
   */
  public @Nullable Lease tryEnter(long batchBytes, double share) {
    long bytes = BATCHES_OF_CALL * Math.min(batchBytes, maxBatchBytes());
    long others = expected.getAndAdd(bytes);
    if (used.getAsLong() + others + bytes > share * limitBytes) {
      expected.addAndGet(-bytes);
      return null;
    }
    return new Lease(bytes);
  }
}

package dev.kudu4j.server.memory;

import dev.kudu4j.common.status.KuduException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Admits calls of scans while there is memory for them, so an admitted call has enough. A client
 * loses a scan that fails half-way, but not a scan that must retry a call.
 *
 * <pre>
 *   held by scans now  +  expected by the running calls  +  by this one   &lt;=  limit
 * </pre>
 *
 * <p>Memory that running calls already hold counts twice. This is conservative: a batch grows by
 * being copied. Thread-safe.
 */
public final class ScanMemoryGate {
  /** The maximum memory of a call, in batches: a batch that grows, and its wire format. */
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
   * @param used the bytes that scans currently hold; must be cheap and callable from any thread
   * @param limitBytes the limit of these bytes
   */
  ScanMemoryGate(LongSupplier used, long limitBytes) {
    this.used = used;
    this.limitBytes = limitBytes;
  }

  /** The maximum size of a batch; a single call then always has enough memory. */
  public long maxBatchBytes() {
    return limitBytes / (2 * BATCHES_OF_CALL);
  }

  /**
   * Reserves the memory of a call.
   *
   * @param batchBytes the maximum size of its batch
   * @throws KuduException SERVICE_UNAVAILABLE; the caller may repeat the call if it has not changed
   *     any state yet
   */
  public Lease enter(long batchBytes) {
    long bytes = BATCHES_OF_CALL * Math.min(batchBytes, maxBatchBytes());
    long others = expected.getAndAdd(bytes);
    long held = used.getAsLong();
    if (held + others + bytes > limitBytes) {
      expected.addAndGet(-bytes);
      throw KuduException.serviceUnavailable(
          "Scans use %d bytes and expect %d more, of at most %d on this server; try again later",
          held, others, limitBytes);
    }
    return new Lease(bytes);
  }
}

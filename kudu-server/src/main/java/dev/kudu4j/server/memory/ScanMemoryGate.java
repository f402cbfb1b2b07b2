package dev.kudu4j.server.memory;

import dev.kudu4j.common.status.KuduException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Admits calls of scans while there is memory for them, so a call that has begun finds enough. A
 * scan that fails half-way is lost to its client; a scan that is asked to retry is not.
 *
 * <pre>
 *   held by scans now  +  expected by the calls under way  +  by this one   &lt;=  limit
 * </pre>
 *
 * <p>What calls under way hold already counts twice, which is on the safe side: a batch grows by
 * being copied. Thread-safe.
 */
public final class ScanMemoryGate {
  /** What a call holds at its worst, in batches: one that grows, and its form on the wire. */
  private static final int BATCHES_OF_CALL = 4;

  private final LongSupplier used;
  private final long limitBytes;
  private final AtomicLong expected = new AtomicLong();

  /** A call's share of the room. Closed once, when the reply is on its way. */
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
   * @param used bytes that scans hold now; cheap, any thread
   * @param limitBytes of them
   */
  ScanMemoryGate(LongSupplier used, long limitBytes) {
    this.used = used;
    this.limitBytes = limitBytes;
  }

  /** What a batch may weigh at most, so that one call alone always finds room. */
  public long maxBatchBytes() {
    return limitBytes / (2 * BATCHES_OF_CALL);
  }

  /**
   * Makes sure that a call has room to work in.
   *
   * @param batchBytes what its batch may weigh
   * @throws KuduException SERVICE_UNAVAILABLE: the same call can be made again, as long as nothing
   *     else has changed yet
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

package dev.kudu4j.common.time;

import dev.kudu4j.common.status.KuduException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/**
 * Divides hybrid time into epochs of one length. Their boundaries are the multiples of the length,
 * so all tables with epochs of the same length have the same boundaries, on all servers.
 *
 * <pre>
 *   boundary(t)            t           next(t)
 *   --|--------------------+-------------|-----------> hybrid time
 *      one epoch: boundary &lt;= t &lt; next
 * </pre>
 *
 * @param length of an epoch in hybrid time; 0 if there are no epochs
 */
public record Epochs(long length) {
  /** No epochs: no boundary ever passes. */
  public static final Epochs NONE = new Epochs(0);

  public Epochs {
    if (length < 0) {
      throw KuduException.invalidArgument(
          "The length of an epoch must not be negative: %s", length);
    }
  }

  public static Epochs ofSeconds(int seconds) {
    return new Epochs(HybridTime.ofMicros(TimeUnit.SECONDS.toMicros(seconds)));
  }

  /** The inverse of {@link #toBytes}. */
  public static Epochs fromBytes(byte[] bytes) {
    return new Epochs(ByteBuffer.wrap(bytes).getLong());
  }

  public byte[] toBytes() {
    return ByteBuffer.allocate(Long.BYTES).putLong(length).array();
  }

  /** Whether there are epochs. */
  public boolean exist() {
    return length > 0;
  }

  /** The start of the epoch that contains the timestamp. Requires that epochs {@link #exist}. */
  public long boundary(long timestamp) {
    return timestamp - timestamp % length;
  }

  /** The start of the next epoch, above the timestamp. Requires that epochs {@link #exist}. */
  public long next(long timestamp) {
    return boundary(timestamp) + length;
  }

  /** Whether the timestamps are in different epochs; false without epochs. */
  public boolean separate(long earlier, long later) {
    return exist() && boundary(earlier) != boundary(later);
  }
}

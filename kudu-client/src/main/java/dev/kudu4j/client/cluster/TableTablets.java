package dev.kudu4j.client.cluster;

import dev.kudu4j.common.key.KeyBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Where the tablets of one table are. Filled by asking the master, several tablets at a time;
 * corrected when a replica turns out to be elsewhere. Partition keys may fall into ranges that no
 * tablet covers. Thread-safe; {@link #cached} takes no lock.
 */
public final class TableTablets {
  /**
   * What covers a partition key.
   *
   * @param tablet null where no tablet does
   * @param start of the tablet's partition or of the gap, inclusive; empty for unbounded
   * @param end exclusive; empty for unbounded
   */
  public record Cover(RemoteTablet tablet, byte[] start, byte[] end) {
    public boolean isGap() {
      return tablet == null;
    }
  }

  /**
   * The tablet of {@code partitionKey} if it is known, else null: for the path of each row. No
   * allocation.
   */
  public RemoteTablet cached(KeyBuffer partitionKey) {
    throw new UnsupportedOperationException("STUB");
  }

  /** The tablet or gap at {@code partitionKey}, asking the master when it is not known. */
  public CompletableFuture<Cover> at(byte[] partitionKey, Deadline deadline) {
    throw new UnsupportedOperationException("STUB");
  }

  /**
   * All tablets that overlap the partition keys from {@code start} to {@code end} (empty for
   * unbounded), in order.
   */
  public CompletableFuture<List<RemoteTablet>> between(
      byte[] start, byte[] end, Deadline deadline) {
    throw new UnsupportedOperationException("STUB");
  }

  /**
   * Forgets what covers {@code partitionKey}, because it was dropped or split: the next question
   * goes to the master.
   */
  public void forget(byte[] partitionKey) {
    throw new UnsupportedOperationException("STUB");
  }

  /** Forgets everything, because ranges were added or dropped. */
  public void forgetAll() {
    throw new UnsupportedOperationException("STUB");
  }
}

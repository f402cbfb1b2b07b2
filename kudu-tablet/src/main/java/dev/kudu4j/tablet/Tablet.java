package dev.kudu4j.tablet;

import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.log.LogEntry;
import dev.kudu4j.tablet.log.LogPosition;
import dev.kudu4j.tablet.log.RequestId;
import dev.kudu4j.tablet.log.RequestResult;
import dev.kudu4j.tablet.scan.ScanSpec;
import dev.kudu4j.tablet.scan.TabletScanner;
import java.io.IOException;
import java.util.List;

/**
 * One tablet's state: a pure function of the log applied to it.
 *
 * <p>One thread applies, in log order; any number scan; one checkpoints. A snapshot T holds exactly
 * the operations with timestamp &lt; T. The door only: write path, read path and checkpoint have
 * classes of their own.
 */
public final class Tablet implements AutoCloseable {
  private Tablet() {}

  /** Makes a new, empty tablet durable in the environment's directory and opens it. */
  public static Tablet create(TabletEnvironment environment, TabletDescriptor descriptor)
      throws IOException {
    throw new UnsupportedOperationException("stub");
  }

  /**
   * Opens the tablet of the environment's directory as its superblock says; the log is to be
   * replayed from {@link #checkpoint} on.
   */
  public static Tablet open(TabletEnvironment environment) throws IOException {
    throw new UnsupportedOperationException("stub");
  }

  public TabletDescriptor descriptor() {
    throw new UnsupportedOperationException("stub");
  }

  public Schema schema() {
    return descriptor().schema();
  }

  /** The state on disk is the log up to and including this position. */
  public LogPosition checkpoint() {
    throw new UnsupportedOperationException("stub");
  }

  /** The position applied last. */
  public LogPosition applied() {
    throw new UnsupportedOperationException("stub");
  }

  /**
   * Applies the next entry; one thread, in log order. The answers are one per request of a WRITE
   * (the remembered one for a request that was applied before), one for other types. Visible to
   * readers when this returns.
   */
  public List<RequestResult> apply(LogPosition position, LogEntry entry) {
    throw new UnsupportedOperationException("stub");
  }

  /**
   * Moves the applied position over an entry that changes nothing here (configuration, new leader).
   */
  public void applyNothing(LogPosition position) {
    throw new UnsupportedOperationException("stub");
  }

  /**
   * The remembered answer of a request, complete with all its pieces; null when it is not known.
   * Any thread.
   */
  public RequestResult remembered(RequestId id) {
    throw new UnsupportedOperationException("stub");
  }

  /** A snapshot that sees everything applied so far and nothing more: what READ_LATEST reads at. */
  public long latestSnapshot() {
    throw new UnsupportedOperationException("stub");
  }

  /** Highest timestamp applied, or 0. */
  public long maxTimestamp() {
    throw new UnsupportedOperationException("stub");
  }

  /** Opens a scan; the caller closes it. */
  public TabletScanner scan(ScanSpec spec) throws IOException {
    throw new UnsupportedOperationException("stub");
  }

  /**
   * Cuts a key range into consecutive pieces of about the given size by the sizes of the columns
   * (ids; empty: all). Returns the inner borders, ascending encoded keys; none when there is a
   * single piece.
   */
  public List<byte[]> splitKeys(byte[] lowerKey, byte[] upperKey, long targetBytes, int[] columnIds)
      throws IOException {
    throw new UnsupportedOperationException("stub");
  }

  /**
   * Makes the state up to the position applied now durable: "a flush is a checkpoint". Does nothing
   * when nothing was applied since the last. One at a time; applying and scanning go on meanwhile.
   *
   * @return the new {@link #checkpoint}
   */
  public LogPosition flush() throws IOException {
    throw new UnsupportedOperationException("stub");
  }

  public TabletStatistics statistics() {
    throw new UnsupportedOperationException("stub");
  }

  /** Closes without flushing; scans that are open keep what they pinned until they close. */
  @Override
  public void close() {
    throw new UnsupportedOperationException("stub");
  }
}

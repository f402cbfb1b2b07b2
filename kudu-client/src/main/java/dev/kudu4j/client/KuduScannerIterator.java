package dev.kudu4j.client;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.concurrent.TimeUnit;

/**
 * All rows of a scanner, one after the other; asks for the next batch when one is used up, and
 * keeps the scanner alive while a batch takes long.
 */
public class KuduScannerIterator implements Iterator<RowResult> {
  /** Is told of each batch. */
  public abstract static class NextRowsCallback {
    public abstract void call(int numRows);
  }

  private static final int ROWS_BETWEEN_LOOKS_AT_THE_CLOCK = 1024;

  private final KuduScanner scanner;
  private final long keepAlivePeriodNanos;
  private RowResultIterator batch = RowResultIterator.empty();
  private long lastKeptAlive = System.nanoTime();
  private int untilLook = ROWS_BETWEEN_LOOKS_AT_THE_CLOCK;

  KuduScannerIterator(KuduScanner scanner, long keepAlivePeriodMs) {
    this.scanner = scanner;
    this.keepAlivePeriodNanos = TimeUnit.MILLISECONDS.toNanos(keepAlivePeriodMs);
  }

  /**
   * Whether there is another row; fetches batches until there is, or until the end.
   *
   * @throws RuntimeException around the {@link KuduException} when a batch cannot be had
   */
  public boolean hasNext(NextRowsCallback callback) {
    try {
      while (!batch.hasNext() && scanner.hasMoreRows()) {
        batch = scanner.nextRows();
        lastKeptAlive = System.nanoTime();
        if (callback != null) {
          callback.call(batch.getNumRows());
        }
      }
      if (--untilLook <= 0) {
        keepAlive();
      }
      return batch.hasNext();
    } catch (KuduException e) {
      throw new RuntimeException(e);
    }
  }

  private void keepAlive() throws KuduException {
    untilLook = ROWS_BETWEEN_LOOKS_AT_THE_CLOCK;
    long now = System.nanoTime();
    if (now - lastKeptAlive > keepAlivePeriodNanos && !scanner.isClosed()) {
      scanner.keepAlive();
      lastKeptAlive = now;
    }
  }

  @Override
  public boolean hasNext() {
    return hasNext(null);
  }

  @Override
  public RowResult next() {
    if (!batch.hasNext() && !hasNext()) {
      throw new NoSuchElementException();
    }
    return batch.next();
  }
}

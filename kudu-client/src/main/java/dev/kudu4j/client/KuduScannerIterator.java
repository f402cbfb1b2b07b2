package dev.kudu4j.client;

import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * Iterates over all rows of a scanner. Fetches the next batch when the current one is exhausted.
 */
public class KuduScannerIterator implements Iterator<RowResult> {
  /** Called for each batch. */
  public abstract static class NextRowsCallback {
    public abstract void call(int numRows);
  }

  private final KuduScanner scanner;
  private RowResultIterator batch = RowResultIterator.empty();

  KuduScannerIterator(KuduScanner scanner) {
    this.scanner = scanner;
  }

  /**
   * Whether there is another row. Fetches batches until one has a row or the scan ends.
   *
   * @throws RuntimeException with a {@link KuduException} as its cause, if a batch cannot be
   *     fetched
   */
  public boolean hasNext(NextRowsCallback callback) {
    try {
      while (!batch.hasNext() && scanner.hasMoreRows()) {
        RowResultIterator next = scanner.nextRows();
        if (next == null) { // closed in the meantime
          break;
        }
        batch = next;
        if (callback != null) {
          callback.call(batch.getNumRows());
        }
      }
      return batch.hasNext();
    } catch (KuduException e) {
      throw new RuntimeException(e);
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

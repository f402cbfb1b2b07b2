package dev.kudu4j.client;

import java.util.Iterator;
import java.util.NoSuchElementException;

/** All rows of a scanner, one after the other; asks for the next batch when one is used up. */
public class KuduScannerIterator implements Iterator<RowResult> {
  /** Is told of each batch. */
  public abstract static class NextRowsCallback {
    public abstract void call(int numRows);
  }

  private final KuduScanner scanner;
  private RowResultIterator batch = RowResultIterator.empty();

  KuduScannerIterator(KuduScanner scanner) {
    this.scanner = scanner;
  }

  /**
   * Whether there is another row; fetches batches until there is, or until the end.
   *
   * @throws RuntimeException around the {@link KuduException} when a batch cannot be had
   */
  public boolean hasNext(NextRowsCallback callback) {
    try {
      while (!batch.hasNext() && scanner.hasMoreRows()) {
        RowResultIterator next = scanner.nextRows();
        if (next == null) { // closed meanwhile
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

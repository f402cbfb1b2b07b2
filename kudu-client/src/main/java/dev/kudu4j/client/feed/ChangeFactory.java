package dev.kudu4j.client.feed;

import dev.kudu4j.client.scan.ColumnarRows;

/**
 * Creates the changes that users read.
 *
 * @param <C> a user's change
 */
public interface ChangeFactory<C> {
  /** Stands for a row that does not exist. */
  int NO_ROW = -1;

  /**
   * A change.
   *
   * @param timestamp hybrid time
   * @param rows has the rows
   * @param before the row before the change, or {@link #NO_ROW}
   * @param after the row after the change, or {@link #NO_ROW}
   */
  C change(String tabletId, long timestamp, ColumnarRows rows, int before, int after);
}

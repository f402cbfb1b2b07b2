package dev.kudu4j.client.lookup;

import dev.kudu4j.client.scan.RowBatch;

/**
 * Creates the rows that users read.
 *
 * @param <R> a user's row
 */
public interface RowFactory<R> {
  /**
   * One row of a batch.
   *
   * @param index the index of the row in the batch, from 0
   */
  R row(RowBatch batch, int index);
}

package dev.kudu4j.client.parallel;

import dev.kudu4j.client.scan.BatchDecoder;
import dev.kudu4j.client.scan.FetchedBatch;

/**
 * The form in which a user gets batches.
 *
 * @param <R> a batch as it is kept
 * @param <B> a batch as it is given out
 */
public interface BatchConverter<R, B> {
  BatchDecoder<R> decoder();

  /**
   * A batch to be given out, which is the user's from then on.
   *
   * @param fetched taken; has rows
   * @param rows how many of them are wanted, from the first on
   */
  B give(FetchedBatch<R> fetched, int rows);

  /** Gives back what nobody will read. */
  default void discard(FetchedBatch<R> fetched) {
    if (fetched.rows() != null) {
      decoder().discard(fetched.rows());
    }
  }
}

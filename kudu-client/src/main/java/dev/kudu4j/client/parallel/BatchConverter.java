package dev.kudu4j.client.parallel;

import dev.kudu4j.client.scan.BatchDecoder;
import dev.kudu4j.client.scan.FetchedBatch;

/**
 * Converts batches to the form that users consume.
 *
 * @param <R> a batch as it is decoded
 * @param <B> a batch as it is delivered
 */
public interface BatchConverter<R, B> {
  BatchDecoder<R> decoder();

  /**
   * Converts a batch for delivery. The user owns the result.
   *
   * @param fetched has rows; this method takes ownership of them
   * @param rows how many rows of {@code fetched} to deliver, from the first
   */
  B give(FetchedBatch<R> fetched, int rows);

  /** Frees a batch that is not delivered. */
  default void discard(FetchedBatch<R> fetched) {
    if (fetched.rows() != null) {
      decoder().discard(fetched.rows());
    }
  }
}

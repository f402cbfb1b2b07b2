package dev.kudu4j.tablet.scan.collect;

import dev.kudu4j.tablet.batch.ColumnBatch;
import dev.kudu4j.tablet.scan.source.BlockVisitor;

/**
 * Receives the rows of a scan and turns them into results, which are rows of a batch. Belongs to
 * one scan; not thread-safe.
 *
 * <p>The rows of a scan may be collected in several rounds, if the results of all rows take too
 * much memory. The results of a round are those of its rows.
 */
public interface Collector extends BlockVisitor, AutoCloseable {
  /** The approximate memory of the results so far: what {@link #restart} gives back. */
  long bytes();

  /**
   * Approximate heap memory used by the collector, including memory that {@link #restart} does not
   * free.
   */
  default long heapBytes() {
    return bytes();
  }

  /** Whether the off-heap memory suffices to collect the results of another block. */
  default boolean hasHeadroom() {
    return true;
  }

  /** Drops what is not needed any more. */
  default void compact() {}

  /** Ends a round, after its last row. */
  void finish();

  /** The exclusive upper bound of the results of the round. Called after {@link #finish}. */
  int resultCount();

  /**
   * Appends a result to a batch.
   *
   * @param result below {@link #resultCount}; each is appended once, ascending
   * @return false if there is no such result
   */
  boolean append(int result, ColumnBatch out);

  /** Begins another round: drops all results. */
  void restart();

  @Override
  void close();
}

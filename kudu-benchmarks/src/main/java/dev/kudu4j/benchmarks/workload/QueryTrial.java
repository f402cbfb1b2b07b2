package dev.kudu4j.benchmarks.workload;

import java.util.List;

/** One way to store {@code lineitem} and to query it, on one thread. */
@SuppressWarnings("try") // close() may be interrupted, which ends the process
public interface QueryTrial extends AutoCloseable {
  /** Stores all rows of TPC-H at this scale, and returns when they are acknowledged. */
  Loaded load(double scale) throws Exception;

  /**
   * The rows of a query's result in order, each cell as text. The result of {@link
   * LineItemQuery#FETCH_48} is one row, the number of the fetched cells and their sum, which the
   * program that asks computes.
   */
  List<List<String>> answer(LineItemQuery query) throws Exception;

  /**
   * Reads whole rows by their keys, one at a time; fails if one is not found. Returns the
   * nanoseconds of each.
   */
  long[] lookUp(KeySample keys) throws Exception;

  @Override
  void close() throws Exception;
}

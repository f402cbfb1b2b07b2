package dev.kudu4j.benchmarks.selection;

/** A generated table on a cluster, read with one client on one thread. */
@SuppressWarnings("try") // close() may be interrupted, which ends the process
public interface SelectionTrial extends AutoCloseable {
  /**
   * Inserts all rows of the table from some threads, and returns their number when the last one is
   * acknowledged.
   */
  long load(int threads) throws Exception;

  /** Reads the selected rows, tablet by tablet. */
  Answer answer(Selection selection) throws Exception;

  @Override
  void close() throws Exception;
}

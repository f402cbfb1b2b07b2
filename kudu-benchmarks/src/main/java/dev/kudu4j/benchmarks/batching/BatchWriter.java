package dev.kudu4j.benchmarks.batching;

import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.Operation;
import java.util.Iterator;

/** Writes batches of rows of several tables. */
interface BatchWriter {
  /**
   * Writes a batch, whose rows become visible together, and returns when they are visible.
   *
   * @return the nanoseconds from the last row, when all are at the servers, to the end of the
   *     commit
   */
  long write(Iterator<? extends Operation> rows) throws KuduException;
}

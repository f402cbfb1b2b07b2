package dev.kudu4j.tablet.scan.sink;

import dev.kudu4j.tablet.batch.ColumnBatch;

/** Takes in the batches of a scan, one after another. Not thread-safe. */
public interface BatchSink {
  /** Takes in the rows of a batch, which is borrowed. */
  void add(ColumnBatch batch);

  /** Rows taken in so far. */
  long rowCount();
}

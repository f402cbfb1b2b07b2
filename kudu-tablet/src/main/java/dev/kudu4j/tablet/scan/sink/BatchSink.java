package dev.kudu4j.tablet.scan.sink;

import dev.kudu4j.tablet.batch.ColumnBatch;

/** Consumes the batches of a scan. Not thread-safe. */
public interface BatchSink {
  /** Consumes the rows of a batch, which is borrowed. */
  void add(ColumnBatch batch);

  /** The number of rows consumed. */
  long rowCount();
}

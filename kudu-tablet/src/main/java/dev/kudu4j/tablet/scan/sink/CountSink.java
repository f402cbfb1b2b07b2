package dev.kudu4j.tablet.scan.sink;

import dev.kudu4j.tablet.batch.ColumnBatch;

/** Counts rows; the projection may be empty. */
public final class CountSink implements BatchSink {
  private long rowCount;

  @Override
  public void add(ColumnBatch batch) {
    rowCount += batch.rowCount();
  }

  @Override
  public long rowCount() {
    return rowCount;
  }
}

package dev.kudu4j.spark.changes;

import dev.kudu4j.spark.KuduOptions;
import dev.kudu4j.util.HybridTimeUtil;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.streaming.MicroBatchStream;
import org.apache.spark.sql.connector.read.streaming.Offset;
import org.apache.spark.sql.connector.read.streaming.ReadLimit;
import org.apache.spark.sql.connector.read.streaming.ReadMaxRows;
import org.apache.spark.sql.connector.read.streaming.SupportsAdmissionControl;
import org.apache.spark.sql.connector.read.streaming.SupportsTriggerAvailableNow;

/**
 * A stream of the changes of a table. An offset is a time at which all tablets could be read; a
 * batch has all changes between two offsets, so it is the same however often it is read, as long as
 * the servers keep the history.
 */
final class ChangesStream
    implements MicroBatchStream, SupportsAdmissionControl, SupportsTriggerAvailableNow {
  /**
   * The hybrid time of an hour. A stream without changes goes on after so long, lest its offset
   * become older than the history.
   */
  private static final long IDLE =
      HybridTimeUtil.physicalAndLogicalToHTTimestamp(TimeUnit.HOURS.toMicros(1), 0);

  private final ChangeSource source;
  private final String table;
  private final InitialOffset first;
  private long lastOfTrigger = Long.MAX_VALUE; // of a trigger that reads what is available now

  /**
   * @param table for messages
   * @param checkpoint the directory of the source in the checkpoint of the query
   */
  ChangesStream(ChangeSource source, String table, String checkpoint) {
    this.source = source;
    this.table = table;
    this.first = new InitialOffset(checkpoint);
  }

  @Override
  public Offset initialOffset() {
    return first.get(this::chosenOffset);
  }

  private ChangesOffset chosenOffset() {
    return ChangesOffset.at(source.start(KuduOptions.Start.NOW), source.tablets());
  }

  @Override
  public Offset deserializeOffset(String json) {
    return ChangesOffset.parse(json);
  }

  @Override
  public ReadLimit getDefaultReadLimit() {
    long max = source.maxChanges();
    return max == Long.MAX_VALUE ? ReadLimit.allAvailable() : ReadLimit.maxRows(max);
  }

  @Override
  public void prepareForTriggerAvailableNow() {
    lastOfTrigger = source.now();
  }

  @Override
  public Offset latestOffset() {
    throw new UnsupportedOperationException("Spark calls latestOffset(Offset, ReadLimit)");
  }

  /**
   * The tablets and the time up to which the next batch reads. A tablet that is not found yet has
   * no part in it; the first batch that has it reads it from its beginning.
   */
  @Override
  public Offset latestOffset(Offset start, ReadLimit limit) {
    ChangesOffset from = (ChangesOffset) start;
    List<String> tablets = source.tablets();
    long until = Math.min(lastOfTrigger, source.now());
    if (until <= from.timestamp()) {
      return start;
    }
    boolean isLater = until - from.timestamp() > IDLE;
    if (!isLater && from.hasTablets(tablets) && !source.hasChanges(from, tablets, until)) {
      return start; // no batch without changes
    }
    if (limit instanceof ReadMaxRows rows) {
      until = source.limited(from, tablets, until, rows.maxRows());
    }
    return ChangesOffset.at(until, tablets);
  }

  @Override
  public Offset reportLatestOffset() {
    return ChangesOffset.at(source.now(), source.tablets());
  }

  @Override
  public InputPartition[] planInputPartitions(Offset start, Offset end) {
    return source.splits((ChangesOffset) start, (ChangesOffset) end);
  }

  @Override
  public PartitionReaderFactory createReaderFactory() {
    return ChangeReader.factory(table);
  }

  @Override
  public void commit(Offset end) {
    // Servers keep nothing for a reader.
  }

  @Override
  public void stop() {
    // Nothing is open.
  }
}

package dev.kudu4j.spark.write;

import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.spark.catalog.LoadedTable;
import dev.kudu4j.spark.client.ClusterErrors;
import java.io.IOException;
import java.util.Optional;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.write.DataWriter;
import org.apache.spark.sql.connector.write.PhysicalWriteInfo;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.apache.spark.sql.connector.write.streaming.StreamingDataWriterFactory;
import org.apache.spark.sql.connector.write.streaming.StreamingWrite;
import org.apache.spark.sql.types.StructType;

/**
 * The writes of a stream, on the driver. Without a transaction, the rows of an epoch are visible
 * when tasks write them, and an epoch that is repeated writes them again. With {@code kudu.atomic},
 * all rows of an epoch appear at once, with the number of the epoch in {@link StreamEpochs}; an
 * epoch that is repeated writes nothing.
 */
final class KuduStreamingWrite implements StreamingWrite {
  /** The name that Spark's StreamExecution gives it. */
  private static final String CONTINUOUS_PROCESSING = "__continuous_processing";

  private final LoadedTable table;
  private final WriteSettings settings;
  private final StructType data;
  private final String queryId;
  private Optional<JobTransaction> transaction = Optional.empty();

  KuduStreamingWrite(LoadedTable table, WriteSettings settings, StructType data, String queryId) {
    this.table = table;
    this.settings = settings;
    this.data = data;
    this.queryId = queryId;
    if (!settings.atomic() && !settings.operation().mayBeRepeated()) {
      throw new IllegalArgumentException(
          "A stream may write a batch to table "
              + table.name()
              + " again after a failure, and kudu.operation="
              + settings.operation().optionValue()
              + " would then fail; use upsert, insert_ignore or delete_ignore, or set"
              + " kudu.atomic=true");
    }
  }

  /** Called once for each micro-batch. */
  @Override
  public StreamingDataWriterFactory createStreamingWriterFactory(PhysicalWriteInfo info) {
    WriteTarget target = WriteTarget.of(table);
    if (!settings.atomic()) {
      return new Factory(target, settings, data, null);
    }
    rollback(); // of a batch that neither ended nor failed
    checkMicroBatches();
    StreamEpochs epochs = new StreamEpochs(table.connection(), queryId, table.kuduTable());
    epochs.prepare();
    JobTransaction begun = JobTransaction.begin(target);
    transaction = Optional.of(begun);
    return new Factory(target.in(begun), settings, data, epochs.key());
  }

  /** A continuous query calls for a factory once, and would have one transaction for all epochs. */
  private static void checkMicroBatches() {
    String continuous =
        SparkSession.active().sparkContext().getLocalProperty(CONTINUOUS_PROCESSING);
    if (Boolean.parseBoolean(continuous)) {
      throw new UnsupportedOperationException(
          "kudu.atomic=true needs micro-batches; use another trigger than Trigger.Continuous");
    }
  }

  /** A second attempt of a task is harmless, so the commit coordinator is not needed. */
  @Override
  public boolean useCommitCoordinator() {
    return false;
  }

  @Override
  public void commit(long epochId, WriterCommitMessage[] messages) {
    CommitTimestamps.propagate(table.connection(), messages);
    if (!settings.atomic()) {
      return;
    }
    JobTransaction all =
        transaction.orElseThrow(
            () -> new IllegalStateException("Epoch " + epochId + " has no transaction"));
    StreamEpochs epochs = new StreamEpochs(table.connection(), queryId, table.kuduTable());
    try {
      if (epochs.record(all.token(), epochId)) {
        all.commit(messages);
        transaction = Optional.empty();
      } else {
        rollback(); // an earlier run has committed the epoch
      }
    } catch (RuntimeException e) {
      rollback();
      throw e;
    }
  }

  @Override
  public void abort(long epochId, WriterCommitMessage[] messages) {
    rollback();
  }

  /** Of a transaction that was committed, this is without effect. */
  private void rollback() {
    transaction.ifPresent(JobTransaction::rollback);
    transaction = Optional.empty();
  }

  @Override
  public String toString() {
    return "Kudu " + settings.operation().optionValue() + " stream into " + table.name();
  }

  /**
   * @param epochs tells which epochs are committed; null without transactions
   */
  private record Factory(
      WriteTarget target, WriteSettings settings, StructType data, StreamEpochs.Key epochs)
      implements StreamingDataWriterFactory {
    @Override
    public DataWriter<InternalRow> createWriter(int partitionId, long taskId, long epochId) {
      try {
        if (epochs != null && epochs.lastCommitted(target.connection()) >= epochId) {
          return new DiscardingWriter();
        }
        return new KuduDataWriter(target, settings, data);
      } catch (KuduException e) {
        throw ClusterErrors.of("Table " + target.sparkName() + " cannot be written", e);
      } catch (IOException e) {
        throw target.failure(e);
      }
    }
  }

  /** Drops the rows of an epoch that an earlier run of the query has committed. */
  private static final class DiscardingWriter implements DataWriter<InternalRow> {
    @Override
    public void write(InternalRow row) {
      // is in the table
    }

    @Override
    public WriterCommitMessage commit() {
      return WrittenMessage.at(KuduClient.NO_TIMESTAMP, new TaskAttempt(true, 0, ""));
    }

    @Override
    public void abort() {
      // has written nothing
    }

    @Override
    public void close() {
      // holds nothing
    }
  }
}

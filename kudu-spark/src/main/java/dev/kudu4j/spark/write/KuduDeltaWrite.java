package dev.kudu4j.spark.write;

import dev.kudu4j.spark.catalog.LoadedTable;
import java.io.IOException;
import java.util.Optional;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.write.DeltaBatchWrite;
import org.apache.spark.sql.connector.write.DeltaWrite;
import org.apache.spark.sql.connector.write.DeltaWriteBuilder;
import org.apache.spark.sql.connector.write.DeltaWriter;
import org.apache.spark.sql.connector.write.DeltaWriterFactory;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.PhysicalWriteInfo;
import org.apache.spark.sql.connector.write.RowLevelOperation.Command;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.apache.spark.sql.types.StructType;

/** The planned changes of an UPDATE, DELETE or MERGE, on the driver. */
final class KuduDeltaWrite implements DeltaWrite, DeltaBatchWrite {
  private final LoadedTable table;
  private final Command command;
  private final StructType ids;
  private final StructType rows;
  private final boolean atomic;
  private WriteTarget target;
  private Optional<JobTransaction> transaction = Optional.empty();

  private KuduDeltaWrite(
      LoadedTable table, Command command, StructType ids, StructType rows, boolean atomic) {
    this.table = table;
    this.command = command;
    this.ids = ids;
    this.rows = rows;
    this.atomic = atomic;
    this.target = WriteTarget.of(table);
  }

  /**
   * Takes Spark's description of the changes.
   *
   * @param atomic whether all changes become visible at once
   */
  record Builder(LoadedTable table, Command command, LogicalWriteInfo info, boolean atomic)
      implements DeltaWriteBuilder {
    @Override
    public DeltaWrite build() {
      return new KuduDeltaWrite(
          table, command, info.rowIdSchema().orElseThrow(), info.schema(), atomic);
    }
  }

  @Override
  public String description() {
    return "Kudu " + command + " of " + table.name();
  }

  @Override
  public DeltaBatchWrite toBatch() {
    return this;
  }

  @Override
  public DeltaWriterFactory createBatchWriterFactory(PhysicalWriteInfo info) {
    if (atomic) {
      transaction = Optional.of(JobTransaction.begin(target));
      target = target.in(transaction.get());
    }
    return new Factory(target, ids, rows);
  }

  /** A second attempt of a task is harmless, so the commit coordinator is not needed. */
  @Override
  public boolean useCommitCoordinator() {
    return false;
  }

  @Override
  public void commit(WriterCommitMessage[] messages) {
    CommitTimestamps.propagate(table.connection(), messages);
    MovedRows.removeFromOldKeys(target, messages);
    transaction.ifPresent(all -> all.commit(messages));
  }

  @Override
  public void abort(WriterCommitMessage[] messages) {
    transaction.ifPresent(JobTransaction::rollback);
  }

  @Override
  public String toString() {
    return description();
  }

  private record Factory(WriteTarget target, StructType ids, StructType rows)
      implements DeltaWriterFactory {
    @Override
    public DeltaWriter<InternalRow> createWriter(int partitionId, long taskId) {
      try {
        return new KuduDeltaWriter(target, ids, rows);
      } catch (IOException e) {
        throw target.failure(e);
      }
    }
  }
}

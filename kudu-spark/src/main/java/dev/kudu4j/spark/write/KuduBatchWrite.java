package dev.kudu4j.spark.write;

import dev.kudu4j.client.KuduPredicate;
import dev.kudu4j.spark.catalog.LoadedTable;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.write.BatchWrite;
import org.apache.spark.sql.connector.write.DataWriter;
import org.apache.spark.sql.connector.write.DataWriterFactory;
import org.apache.spark.sql.connector.write.PhysicalWriteInfo;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.apache.spark.sql.types.StructType;

/**
 * A write on the driver. Without a transaction, rows become visible when tasks write them; the
 * commit only advances the client's timestamp, so that later reads of the driver see all rows, and
 * an abort cannot undo anything.
 */
final class KuduBatchWrite implements BatchWrite {
  private final LoadedTable table;
  private final WriteSettings settings;
  private final StructType data;
  private final Optional<List<KuduPredicate>> replaced;
  private Optional<JobTransaction> transaction = Optional.empty();

  KuduBatchWrite(
      LoadedTable table,
      WriteSettings settings,
      StructType data,
      Optional<List<KuduPredicate>> replaced) {
    this.table = table;
    this.settings = settings;
    this.data = data;
    this.replaced = replaced;
  }

  @Override
  public DataWriterFactory createBatchWriterFactory(PhysicalWriteInfo info) {
    WriteTarget target = WriteTarget.of(table);
    if (settings.handleSchemaDrift()) {
      SchemaDrift.follow(target, data);
    }
    checkFit(target);
    if (settings.atomic()) {
      transaction = Optional.of(JobTransaction.begin(target));
    }
    WriteTarget written = transaction.map(target::in).orElse(target);
    replaced.ifPresent(predicates -> remove(written, predicates));
    return new Factory(written, settings, data);
  }

  private void remove(WriteTarget target, List<KuduPredicate> predicates) {
    try {
      RowRemoval.delete(target, predicates);
    } catch (RuntimeException e) { // Spark does not call abort() yet
      transaction.ifPresent(JobTransaction::rollback);
      throw e;
    }
  }

  /** Reports mismatches of columns before any task starts. */
  private void checkFit(WriteTarget target) {
    try {
      KuduDataWriter.copier(target, settings, data, target.open().getSchema());
    } catch (IOException e) {
      throw target.failure(e);
    }
  }

  /** A second attempt of a task is harmless, so the commit coordinator is not needed. */
  @Override
  public boolean useCommitCoordinator() {
    return false;
  }

  @Override
  public void commit(WriterCommitMessage[] messages) {
    CommitTimestamps.propagate(table.connection(), messages);
    transaction.ifPresent(all -> all.commit(messages));
  }

  @Override
  public void abort(WriterCommitMessage[] messages) {
    transaction.ifPresent(JobTransaction::rollback);
  }

  @Override
  public String toString() {
    return "Kudu " + settings.operation().optionValue() + " into " + table.name();
  }

  private record Factory(WriteTarget target, WriteSettings settings, StructType data)
      implements DataWriterFactory {
    @Override
    public DataWriter<InternalRow> createWriter(int partitionId, long taskId) {
      try {
        return new KuduDataWriter(target, settings, data);
      } catch (IOException e) {
        throw target.failure(e);
      }
    }
  }
}

package dev.kudu4j.spark.write;

import dev.kudu4j.Schema;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.Operation;
import java.io.IOException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.write.DataWriter;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.apache.spark.sql.types.StructType;

/** Writes the rows of one task, with one operation per row. */
final class KuduDataWriter implements DataWriter<InternalRow> {
  private final WriteOperation operation;
  private final TaskSession session;
  private final RowCopier copier;
  private boolean finished;

  KuduDataWriter(WriteTarget target, WriteSettings settings, StructType data) throws IOException {
    this.operation = settings.operation();
    KuduTable table = target.open();
    this.copier = copier(target, settings, data, table.getSchema());
    this.session = new TaskSession(target, table, operation.mayBeRepeated());
    if (settings.ignoreDuplicates()) {
      session.ignoreDuplicates();
    }
  }

  /**
   * Converts rows of the data to rows of the table.
   *
   * @throws IllegalArgumentException if the columns of the data and of the table do not match
   */
  static RowCopier copier(
      WriteTarget target, WriteSettings settings, StructType data, Schema schema) {
    ColumnMatch match = ColumnMatch.of(target.sparkName(), data, schema);
    match.check(settings.operation(), false);
    return new RowCopier(
        target.sparkName(),
        data,
        schema,
        settings.operation().usesKeyOnly() ? match.keyTargets() : match.targets(settings.columns()),
        settings.ignoreNull() ? RowCopier.Nulls.LEFT_OUT : RowCopier.Nulls.WRITTEN);
  }

  @Override
  public void write(InternalRow row) throws IOException {
    Operation write = operation.on(session.table());
    copier.copy(row, write.getRow());
    session.apply(write);
  }

  @Override
  public WriterCommitMessage commit() throws IOException {
    finished = true;
    return WrittenMessage.at(session.finish(), session.attempt());
  }

  @Override
  public void abort() {
    close();
  }

  @Override
  public void close() {
    if (!finished) {
      finished = true;
      session.abandon();
    }
  }
}

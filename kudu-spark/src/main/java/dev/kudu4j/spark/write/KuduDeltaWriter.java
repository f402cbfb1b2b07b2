package dev.kudu4j.spark.write;

import dev.kudu4j.Schema;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.Operation;
import dev.kudu4j.client.PartialRow;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.write.DeltaWriter;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.apache.spark.sql.types.StructType;

/**
 * Writes the changes of one task. All changes are idempotent, so a task may be retried: an insert
 * becomes an upsert, and an update or delete of a row that was deleted in the meantime is ignored.
 *
 * <p>If the key of a row changes, the task writes the row under the new key. The driver deletes the
 * old key when all tasks have ended: see {@link MovedRows}.
 */
final class KuduDeltaWriter implements DeltaWriter<InternalRow> {
  private final TaskSession session;
  private final RowCopier idCopier;
  private final RowCopier rowCopier;
  private final KeyMatch keyMatch;
  private final List<byte[]> oldKeys = new ArrayList<>();
  private final List<byte[]> newKeys = new ArrayList<>();
  private boolean finished;

  KuduDeltaWriter(WriteTarget target, StructType ids, StructType rows) throws IOException {
    KuduTable table = target.open();
    Schema schema = table.getSchema();
    ColumnMatch idMatch = ColumnMatch.of(target.sparkName(), ids, schema);
    idMatch.check(WriteOperation.DELETE, false);
    ColumnMatch rowMatch = ColumnMatch.of(target.sparkName(), rows, schema);
    this.idCopier = copier(target, ids, schema, idMatch);
    this.rowCopier = copier(target, rows, schema, rowMatch);
    this.keyMatch = KeyMatch.of(ids, rows);
    this.session = new TaskSession(target, table, true);
    session.ignoreMissing();
  }

  private static RowCopier copier(
      WriteTarget target, StructType type, Schema schema, ColumnMatch match) {
    return new RowCopier(
        target.sparkName(), type, schema, match.targets(), RowCopier.Nulls.WRITTEN);
  }

  @Override
  public void delete(InternalRow metadata, InternalRow id) throws IOException {
    Operation delete = session.table().newDelete();
    idCopier.copy(id, delete.getRow());
    session.apply(delete);
  }

  @Override
  public void update(InternalRow metadata, InternalRow id, InternalRow row) throws IOException {
    if (keyMatch.matches(id, row)) {
      Operation update = session.table().newUpdate();
      rowCopier.copy(row, update.getRow());
      session.apply(update);
    } else {
      move(id, row);
    }
  }

  private void move(InternalRow id, InternalRow row) throws IOException {
    PartialRow old = session.table().getSchema().newPartialRow();
    idCopier.copy(id, old);
    Operation upsert = session.table().newUpsert();
    rowCopier.copy(row, upsert.getRow());
    oldKeys.add(old.encodePrimaryKey());
    newKeys.add(upsert.getRow().encodePrimaryKey());
    session.apply(upsert);
  }

  @Override
  public void insert(InternalRow row) throws IOException {
    Operation upsert = session.table().newUpsert();
    rowCopier.copy(row, upsert.getRow());
    session.apply(upsert);
  }

  @Override
  public WriterCommitMessage commit() throws IOException {
    finished = true;
    return new WrittenMessage(session.finish(), oldKeys, newKeys, session.attempt());
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

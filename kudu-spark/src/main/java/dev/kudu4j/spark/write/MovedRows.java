package dev.kudu4j.spark.write;

import dev.kudu4j.CellForm;
import dev.kudu4j.Schema;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.Operation;
import dev.kudu4j.common.key.KeyDecoder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.spark.sql.connector.write.WriterCommitMessage;

/**
 * Completes updates that change keys.
 *
 * <p>{@code UPDATE t SET id = id + 1} writes row 1 under key 2, and row 2 under key 3. If each task
 * also deleted the old keys, the delete of 2 could follow the write to 2 by another task, which
 * would lose a row. Therefore tasks only write, and report the old and the new keys of their rows.
 * When all tasks have ended, the driver deletes the old keys that are not also new keys. If the
 * statement fails before that, and is not in a transaction, rows exist under both keys; no row is
 * lost unless another row was written under its key.
 */
final class MovedRows {
  private MovedRows() {}

  static void removeFromOldKeys(WriteTarget target, WriterCommitMessage[] messages) {
    Set<byte[]> oldKeys = new TreeSet<>(Arrays::compareUnsigned);
    List<byte[]> newKeys = new ArrayList<>();
    for (WriterCommitMessage message : messages) {
      if (message instanceof WrittenMessage written) {
        oldKeys.addAll(written.oldKeys());
        newKeys.addAll(written.newKeys());
      }
    }
    newKeys.forEach(oldKeys::remove);
    if (!oldKeys.isEmpty()) {
      delete(target, oldKeys);
    }
  }

  private static void delete(WriteTarget target, Set<byte[]> keys) {
    try {
      KuduTable table = target.open();
      TaskSession session = new TaskSession(target, table, true);
      session.ignoreMissing();
      for (byte[] key : keys) {
        session.apply(delete(table, key));
      }
      session.finish();
    } catch (IOException e) {
      throw target.failure(e);
    }
  }

  private static Operation delete(KuduTable table, byte[] key) {
    Operation delete = table.newDelete();
    Schema schema = table.getSchema();
    byte[][] cells = KeyDecoder.decode(schema.toCommon(), key);
    for (int i = 0; i < cells.length; i++) {
      delete
          .getRow()
          .addObject(i, CellForm.value(schema.getColumnByIndex(i), cells[i], 0, cells[i].length));
    }
    return delete;
  }
}

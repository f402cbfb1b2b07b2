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
 * The end of updates that gave rows other keys.
 *
 * <p>{@code UPDATE t SET id = id + 1} writes the row of 1 under 2, and that of 2 under 3. Would
 * each task also delete the old keys, the delete of 2 could come after the write to 2 by another
 * task, and a row be lost. So tasks only write, and tell which keys were left and which were taken;
 * when all have come to their end, the keys that were left and not taken again are deleted here.
 * Should the statement fail half-way, rows stand under both keys, and none is lost that had no
 * newcomer under its key.
 */
final class MovedRows {
  private MovedRows() {}

  static void removeFromOldKeys(WriteTarget target, WriterCommitMessage[] messages) {
    Set<byte[]> left = new TreeSet<>(Arrays::compareUnsigned);
    List<byte[]> taken = new ArrayList<>();
    for (WriterCommitMessage message : messages) {
      if (message instanceof WrittenMessage written) {
        left.addAll(written.leftKeys());
        taken.addAll(written.takenKeys());
      }
    }
    taken.forEach(left::remove);
    if (!left.isEmpty()) {
      delete(target, left);
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

package dev.kudu4j.spark.write;

import dev.kudu4j.CellForm;
import dev.kudu4j.Schema;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.Operation;
import dev.kudu4j.common.key.KeyDecoder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;
import org.apache.spark.sql.connector.write.WriterCommitMessage;

/**
 * The end of updates that gave rows other keys.
 *
 * <p>{@code UPDATE t SET id = id + 1} writes the row of 1 under 2, and that of 2 under 3. Would each
 * task also delete the old keys, the delete of 2 could come after the write to 2 by another task,
 * and a row be lost. So tasks only write, and tell which keys were left and which were taken; when
 * all have come to their end, the keys that were left and not taken again are deleted here. Should
 * the statement fail half-way, rows stand under both keys, and none is lost that had no newcomer
 * under its key.
 */
final class MovedRows {
  private MovedRows() {}

  static void removeFromOldKeys(WriteTarget target, WriterCommitMessage[] messages) {
    Set<ByteBuffer> left = new HashSet<>();
    Set<ByteBuffer> taken = new HashSet<>();
    for (WriterCommitMessage message : messages) {
      if (message instanceof WrittenMessage written) {
        written.leftKeys().forEach(key -> left.add(ByteBuffer.wrap(key)));
        written.takenKeys().forEach(key -> taken.add(ByteBuffer.wrap(key)));
      }
    }
    left.removeAll(taken);
    if (!left.isEmpty()) {
      delete(target, left);
    }
  }

  private static void delete(WriteTarget target, Set<ByteBuffer> keys) {
    try {
      KuduTable table = target.open();
      TaskSession session = new TaskSession(target, table, true);
      session.ignoreMissing();
      for (ByteBuffer key : keys) {
        session.apply(delete(table, key.array()));
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
          .addObject(
              i, CellForm.value(schema.getColumnByIndex(i), cells[i], 0, cells[i].length));
    }
    return delete;
  }
}

package dev.kudu4j.spark.write;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Schema;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduPredicate;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.PartialRow;
import dev.kudu4j.client.RowError;
import dev.kudu4j.client.RowResult;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds the rows that were rejected because of rows of the same transaction. An attempt of a task
 * meets the rows of another attempt: an insert is rejected because the key is present, a delete
 * because it is missing.
 *
 * <p>Readers do not see the rows of an open transaction, so the table tells them from others:
 *
 * <pre>
 *   rejected   key is visible                   key is not visible
 *   insert     it existed before the job        the transaction has inserted it
 *   delete     the transaction has deleted it   it was missing before the job
 * </pre>
 *
 * <p>The answer is wrong if somebody else deletes or inserts the key between the rejection and the
 * read: a rejected row does not hold its key.
 */
final class OwnRows {
  /** The keys of one scan. */
  private static final int CHUNK = 256;

  private final KuduClient client;
  private final KuduTable table;
  private final List<ColumnSchema> keyColumns;
  private long insertedKeys;
  private String example = "";

  OwnRows(KuduClient client, KuduTable table) {
    this.client = client;
    this.table = table;
    this.keyColumns = table.getSchema().getPrimaryKeyColumns();
  }

  /** The errors that rows of the transaction do not explain. */
  RowError[] unexplained(RowError[] errors) throws KuduException {
    List<RowError> unexplained = new ArrayList<>();
    for (int from = 0; from < errors.length; from += CHUNK) {
      List<RowError> chunk = List.of(errors).subList(from, Math.min(errors.length, from + CHUNK));
      addUnexplained(chunk, unexplained);
    }
    return unexplained.toArray(new RowError[0]);
  }

  private void addUnexplained(List<RowError> errors, List<RowError> unexplained)
      throws KuduException {
    List<RowError> aboutKeys = new ArrayList<>();
    for (RowError error : errors) {
      (isAboutKey(error) ? aboutKeys : unexplained).add(error);
    }
    if (aboutKeys.isEmpty()) {
      return;
    }
    Set<ByteBuffer> visible = visibleKeys(aboutKeys);
    for (RowError error : aboutKeys) {
      boolean present = error.getErrorStatus().isAlreadyPresent();
      if (visible.contains(key(error.getOperation().getRow())) == present) {
        unexplained.add(error);
      } else if (present) {
        count(error);
      }
    }
  }

  private static boolean isAboutKey(RowError error) {
    return error.getErrorStatus().isAlreadyPresent() || error.getErrorStatus().isNotFound();
  }

  private void count(RowError error) {
    if (insertedKeys++ == 0) {
      example = error.getOperation() + ": " + error.getErrorStatus();
    }
  }

  private static ByteBuffer key(PartialRow row) {
    return ByteBuffer.wrap(row.encodePrimaryKey());
  }

  /** The keys that readers see now: those of the errors, and maybe others. */
  private Set<ByteBuffer> visibleKeys(List<RowError> errors) throws KuduException {
    KuduScanner scanner = scanner(errors);
    Set<ByteBuffer> visible = new HashSet<>();
    try {
      while (scanner.hasMoreRows()) {
        for (RowResult row : scanner.nextRows()) {
          visible.add(key(row));
        }
      }
    } finally {
      scanner.close();
    }
    return visible;
  }

  /** A scan of the leaders, which know the latest rows. */
  private KuduScanner scanner(List<RowError> errors) {
    KuduScanner.KuduScannerBuilder builder =
        client
            .newScannerBuilder(table)
            .setProjectedColumnNames(keyColumns.stream().map(ColumnSchema::getName).toList());
    for (int i = 0; i < keyColumns.size(); i++) {
      int column = i;
      List<Object> values =
          errors.stream().map(e -> e.getOperation().getRow().getObject(column)).toList();
      builder.addPredicate(KuduPredicate.newInListPredicate(keyColumns.get(i), values));
    }
    return builder.build();
  }

  private ByteBuffer key(RowResult row) {
    Schema schema = table.getSchema();
    PartialRow key = schema.newPartialRow();
    for (int i = 0; i < keyColumns.size(); i++) {
      key.addObject(i, row.getObject(i));
    }
    return key(key);
  }

  /** Number of rows that were not inserted because the transaction had inserted their keys. */
  long insertedKeys() {
    return insertedKeys;
  }

  /** One of these rows; empty if there are none. */
  String example() {
    return example;
  }
}

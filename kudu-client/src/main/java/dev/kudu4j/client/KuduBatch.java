package dev.kudu4j.client;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.common.row.OperationType;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A self-consistent update: changes of rows of any tables, which a {@link KuduProducer} commits
 * together at one timestamp. The changes are blind: none of them can fail because of what the table
 * contains. Later changes of a row in the batch win.
 *
 * <p>Not thread-safe.
 */
public final class KuduBatch {
  private final KuduProducer producer;
  private final List<Operation> rows = new ArrayList<>();
  private boolean committed;

  KuduBatch(KuduProducer producer) {
    this.producer = producer;
  }

  /**
   * Adds a change. Its row cannot be changed after the commit.
   *
   * @throws IllegalArgumentException if the change could fail because of the table's rows: INSERT,
   *     UPDATE, DELETE, and UPSERT if the table has immutable columns. Use the kinds with IGNORE,
   *     or a {@link KuduTransaction}, which reports such failures
   * @throws IllegalStateException if the batch was committed
   */
  public KuduBatch add(Operation operation) {
    checkOpen();
    if (!isBlind(operation)) {
      throw new IllegalArgumentException(
          "A batch takes no "
              + operation.type()
              + " into table "
              + operation.getTable().getName()
              + ", because it can fail; use the kind with IGNORE, or a transaction");
    }
    rows.add(operation);
    return this;
  }

  private static boolean isBlind(Operation operation) {
    OperationType type = operation.type();
    return switch (type) {
      case INSERT_IGNORE, UPSERT_IGNORE, UPDATE_IGNORE, DELETE_IGNORE -> true;
      case UPSERT ->
          operation.getTable().getSchema().getColumns().stream()
              .noneMatch(ColumnSchema::isImmutable);
      default -> false;
    };
  }

  /** Number of changes. */
  public int size() {
    return rows.size();
  }

  /**
   * Commits, and waits until the changes are visible. Batches of a producer take effect in the
   * order of the calls.
   *
   * @throws KuduException if the batch is not committed, or nobody knows; the message says which.
   *     The producer takes no more batches then
   * @throws IllegalArgumentException if a change lacks a column without which it would fail
   * @throws IllegalStateException if the batch was committed before, or an earlier one failed
   */
  public void commit() throws KuduException {
    take();
    producer.commit(rows);
  }

  /**
   * Commits, and does not wait for the end; waits only while two batches of the producer are under
   * way. Completes when the changes are visible, and fails as {@link #commit} does.
   */
  public CompletableFuture<Void> commitAsync() throws KuduException {
    take();
    return producer.commitAsync(rows);
  }

  private void take() {
    checkOpen();
    producer.checkUsable();
    rows.forEach(KuduBatch::checkIsComplete);
    committed = true;
  }

  /** A row without such a column would be refused, and the others of the batch would be not. */
  private static void checkIsComplete(Operation operation) {
    List<ColumnSchema> columns = operation.getTable().getSchema().getColumns();
    boolean addsRows =
        switch (operation.type()) {
          case INSERT_IGNORE, UPSERT, UPSERT_IGNORE -> true;
          default -> false;
        };
    for (int i = 0; i < columns.size(); i++) {
      ColumnSchema column = columns.get(i);
      boolean required =
          column.isKey()
              ? !column.isAutoIncrementing()
              : addsRows && !column.isNullable() && column.getDefaultValue() == null;
      if (required && !operation.getRow().isSet(i)) {
        throw new IllegalArgumentException(
            "Column "
                + column.getName()
                + " of table "
                + operation.getTable().getName()
                + " must be set: "
                + operation);
      }
    }
  }

  private void checkOpen() {
    if (committed) {
      throw new IllegalStateException("The batch was committed");
    }
  }
}

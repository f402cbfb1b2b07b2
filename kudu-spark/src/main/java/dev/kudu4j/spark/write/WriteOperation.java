package dev.kudu4j.spark.write;

import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.Operation;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The operation for each row of a query: the values of {@code kudu.operation}. */
public enum WriteOperation {
  // The first is the default.
  UPSERT,
  INSERT,
  INSERT_IGNORE,
  UPDATE,
  UPDATE_IGNORE,
  DELETE,
  DELETE_IGNORE,
  UPSERT_IGNORE;

  /** The value of the option. */
  public String optionValue() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** All values, the default first. */
  public static List<String> optionValues() {
    return Arrays.stream(values()).map(WriteOperation::optionValue).toList();
  }

  /** The operation with this option value, one of the {@link #optionValues}. */
  public static WriteOperation of(String optionValue) {
    return valueOf(optionValue.toUpperCase(Locale.ROOT));
  }

  /** Creates an operation on the table, whose row must be filled. */
  Operation on(KuduTable table) {
    return switch (this) {
      case UPSERT -> table.newUpsert();
      case INSERT -> table.newInsert();
      case INSERT_IGNORE -> table.newInsertIgnore();
      case UPDATE -> table.newUpdate();
      case UPDATE_IGNORE -> table.newUpdateIgnore();
      case DELETE -> table.newDelete();
      case DELETE_IGNORE -> table.newDeleteIgnore();
      case UPSERT_IGNORE -> table.newUpsertIgnore();
    };
  }

  /** Whether only the key of a row is used. */
  boolean usesKeyOnly() {
    return this == DELETE || this == DELETE_IGNORE;
  }

  /** Whether the operation can create a row, which needs all columns without a default. */
  boolean createsRows() {
    return switch (this) {
      case UPSERT, UPSERT_IGNORE, INSERT, INSERT_IGNORE -> true;
      case UPDATE, UPDATE_IGNORE, DELETE, DELETE_IGNORE -> false;
    };
  }

  /**
   * Whether the operation is idempotent. If not, a task that Spark retries fails because of its own
   * rows.
   */
  boolean mayBeRepeated() {
    return switch (this) {
      case INSERT, DELETE -> false;
      case UPSERT, UPSERT_IGNORE, INSERT_IGNORE, UPDATE, UPDATE_IGNORE, DELETE_IGNORE -> true;
    };
  }
}

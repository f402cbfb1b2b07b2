package dev.kudu4j.spark.write;

import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.Operation;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What is done with each row that a query gives: the words of {@code kudu.operation}. */
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

  /** As users write it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** All words, the default first. */
  public static List<String> words() {
    return Arrays.stream(values()).map(WriteOperation::word).toList();
  }

  /** Of one of the {@link #words}. */
  public static WriteOperation of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }

  /** An operation on the table whose row is to be filled. */
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

  /** Whether only the key of a row counts. */
  boolean takesKeyOnly() {
    return this == DELETE || this == DELETE_IGNORE;
  }

  /** Whether a row may come into being, and so needs all columns that have no default. */
  boolean makesRows() {
    return switch (this) {
      case UPSERT, UPSERT_IGNORE, INSERT, INSERT_IGNORE -> true;
      case UPDATE, UPDATE_IGNORE, DELETE, DELETE_IGNORE -> false;
    };
  }

  /**
   * Whether doing it twice is the same as doing it once. If not, a task that Spark runs again finds
   * its own rows in the way.
   */
  boolean mayBeRepeated() {
    return switch (this) {
      case INSERT, DELETE -> false;
      case UPSERT, UPSERT_IGNORE, INSERT_IGNORE, UPDATE, UPDATE_IGNORE, DELETE_IGNORE -> true;
    };
  }
}

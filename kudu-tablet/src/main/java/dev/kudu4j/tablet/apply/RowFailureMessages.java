package dev.kudu4j.tablet.apply;

import dev.kudu4j.common.index.IndexDefinition;
import dev.kudu4j.common.predicate.KeyText;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import java.util.Locale;

/** Messages of row errors. The protocol defines the messages that clients may match. */
final class RowFailureMessages {
  static final String KEY_PRESENT = "key already present";
  static final String KEY_NOT_FOUND = "key not found";
  static final String NUMBERED_IN_TRANSACTION =
      "a transaction cannot write a table with an auto-incrementing column";
  static final String UNIQUE_IN_TRANSACTION =
      "a transaction cannot write a table with a unique index";
  static final String NOT_UNIQUE = "a unique index: another row has the value";
  static final String DERIVED =
      "this is the table of an index, which changes with its base table only";
  static final String NUMBER_MISSING =
      "auto-incrementing column should be set for UPSERT/UPSERT_IGNORE operations";
  static final String NUMBER_NEGATIVE = "auto-incrementing column value must be greater than zero";

  private RowFailureMessages() {}

  static String missingValue(ColumnSchema column) {
    return (column.isKey()
            ? "No value provided for key column: "
            : "No value provided for required column: ")
        + column;
  }

  static String transactionNotOpen(long transaction) {
    return "transaction " + transaction + " is not open";
  }

  static String notPrepared(long transaction, long timestamp) {
    return "transaction " + transaction + " is not prepared to commit at " + timestamp;
  }

  static String noUpdate(Schema schema, byte[] encodedKey, boolean redacted) {
    return "No fields updated, key is: " + KeyText.of(schema, encodedKey, redacted);
  }

  static String deleteWithValue(ColumnSchema column) {
    return "DELETE should not have a value for column: " + column;
  }

  /** An UPSERT fails with this message only if it updates an existing row. */
  static String immutable(ColumnSchema column) {
    return "UPDATE not allowed for immutable column: " + column + " IMMUTABLE";
  }

  static String cellTooLarge(ColumnSchema column, int bytes, int max) {
    return String.format(
        Locale.ROOT,
        "value too large for column '%s' (%d bytes, maximum is %d bytes)",
        column.name(),
        bytes,
        max);
  }

  static String malformedArray(ColumnSchema column, KuduException failure) {
    return "column '" + column.name() + "': " + failure.getMessage();
  }

  static String keyTooLarge(int bytes, int max) {
    return String.format(
        Locale.ROOT, "encoded primary key too large (%d bytes, maximum is %d bytes)", bytes, max);
  }

  static String numberGiven(ColumnSchema column) {
    return "auto-incrementing column should not be set by an INSERT: " + column;
  }

  static String numbersUsedUp(ColumnSchema column) {
    return "no number is left for auto-incrementing column " + column.name();
  }

  static String notUnique(IndexDefinition index) {
    return "unique index " + index.name() + ": another row has the value";
  }

  /**
   * Shows the value, which the client has sent itself, and which servers do not log.
   *
   * @param encodedValue as a primary key of the indexed columns would be
   */
  static String notUnique(IndexDefinition index, Schema schema, byte[] encodedValue) {
    return String.format(
        Locale.ROOT,
        "unique index %s: another row has the value %s",
        index.name(),
        KeyText.of(schema, index.columns(), encodedValue, false));
  }
}

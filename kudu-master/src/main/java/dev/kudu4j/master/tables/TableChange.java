package dev.kudu4j.master.tables;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;

/**
 * A change of a table that was recorded.
 *
 * @param tableId the id of the table
 * @param description the description for the log, with the table's name and id; empty if nothing
 *     was recorded, because the request was repeated or changed nothing
 */
record TableChange(String tableId, String description) {
  /** The result of a request that was carried out before, or changes nothing. */
  static TableChange none(String tableId) {
    return new TableChange(tableId, "");
  }

  @FormatMethod
  static TableChange of(String tableId, @FormatString String format, Object... values) {
    return new TableChange(tableId, String.format(format, values));
  }
}

package dev.kudu4j.tablet.apply;

import dev.kudu4j.common.row.OperationType;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.tablet.log.RequestResult;
import dev.kudu4j.tablet.log.RequestResult.OutcomeCounts;
import dev.kudu4j.tablet.log.RowFailureList;
import org.jspecify.annotations.Nullable;

/**
 * Counts the rows of a request by outcome and collects the errors. Reusable.
 *
 * <p>Every failed row keeps its error code. A long message may be replaced by {@link #LEFT_OUT},
 * because a message may contain a key, and a hundred thousand rows may fail. This happens once the
 * long messages of the request reach a total size far above what a client's batch normally
 * produces.
 */
final class RowOutcomes {
  /**
   * Messages up to this length are kept for all rows; messages that clients may match are shorter.
   */
  private static final int SHORT_CHARS = 24;

  private static final int MAX_CHARS = 1000;
  private static final int MAX_LONG_CHARS = 256 << 10;
  static final String LEFT_OUT = "(message omitted)";

  private int inserts;
  private int insertsIgnored;
  private int upserts;
  private int upsertsIgnored;
  private int updates;
  private int updatesIgnored;
  private int deletes;
  private int deletesIgnored;
  private RowFailureList.@Nullable Builder errors; // null until the first error
  private int longChars;

  void begin() {
    inserts = 0;
    insertsIgnored = 0;
    upserts = 0;
    upsertsIgnored = 0;
    updates = 0;
    updatesIgnored = 0;
    deletes = 0;
    deletesIgnored = 0;
    errors = null;
    longChars = 0;
  }

  void succeeded(OperationType type) {
    switch (type) {
      case INSERT, INSERT_IGNORE -> inserts++;
      case UPSERT, UPSERT_IGNORE -> upserts++;
      case UPDATE, UPDATE_IGNORE -> updates++;
      case DELETE, DELETE_IGNORE -> deletes++;
      default -> throw new IllegalStateException("Not a write: " + type);
    }
  }

  /**
   * Counts a row that was skipped, or whose immutable cells were skipped, as its IGNORE operation
   * requests.
   */
  void ignored(OperationType type) {
    switch (type) {
      case INSERT_IGNORE -> insertsIgnored++;
      case UPSERT_IGNORE -> upsertsIgnored++;
      case UPDATE_IGNORE -> updatesIgnored++;
      case DELETE_IGNORE -> deletesIgnored++;
      default -> throw new IllegalStateException("Not an IGNORE operation: " + type);
    }
  }

  void failed(int row, StatusCode code, String message) {
    if (errors == null) {
      errors = RowFailureList.builder();
    }
    errors.add(row, code, message.length() <= SHORT_CHARS ? message : bounded(message));
  }

  private String bounded(String message) {
    String text = message.length() <= MAX_CHARS ? message : message.substring(0, MAX_CHARS) + "...";
    if (longChars + text.length() > MAX_LONG_CHARS) {
      return LEFT_OUT;
    }
    longChars += text.length();
    return text;
  }

  RequestResult result(long timestamp) {
    OutcomeCounts counts =
        new OutcomeCounts(
            inserts,
            insertsIgnored,
            upserts,
            upsertsIgnored,
            updates,
            updatesIgnored,
            deletes,
            deletesIgnored);
    return new RequestResult(
        timestamp, errors == null ? RowFailureList.EMPTY : errors.build(), counts);
  }
}

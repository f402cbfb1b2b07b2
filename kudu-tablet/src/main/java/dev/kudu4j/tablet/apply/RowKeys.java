package dev.kudu4j.tablet.apply;

import dev.kudu4j.common.key.KeyBuffer;
import dev.kudu4j.common.key.KeyEncoder;
import dev.kudu4j.common.row.OperationType;
import dev.kudu4j.common.row.RowOperationsReader;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.common.status.StatusCode;

/**
 * The encoded keys of a request's rows, and the numbers of rows with an auto-incrementing column.
 * The caller holds the writer lock. Reusable.
 */
final class RowKeys {
  private static final int NONE = -1;

  private final AppliedState state;
  private final InsertCells insertCells;
  private final RequestPrefetch prefetch;
  private final RowOutcomes outcomes;
  private final KeyBuffer keyBuffer = new KeyBuffer();
  private final KeySlice key = new KeySlice();

  // Set when a request begins, so not null while its rows are applied.
  @SuppressWarnings("NullAway.Init")
  private RequestColumns columns;

  @SuppressWarnings("NullAway.Init")
  private RowOperationsReader reader;

  private int row;

  /**
   * @param insertCells the cells of the current row, which get its number
   * @param prefetch may have encoded the key before
   * @param outcomes of the rows whose key is invalid
   */
  RowKeys(
      AppliedState state, InsertCells insertCells, RequestPrefetch prefetch, RowOutcomes outcomes) {
    this.state = state;
    this.insertCells = insertCells;
    this.prefetch = prefetch;
    this.outcomes = outcomes;
  }

  void begin(RequestColumns requestColumns, RowOperationsReader rows) {
    columns = requestColumns;
    reader = rows;
  }

  /** The key of the row that was found last. */
  KeySlice key() {
    return key;
  }

  /**
   * Sets {@link #key}. If the key is invalid, counts the row as failed and returns false.
   *
   * @param number the row's number in the request
   */
  boolean find(OperationType type, int number) {
    row = number;
    if (!prefetch.takeKey(row, key)) {
      if (!encodeKey(type)) {
        return false;
      }
      key.set(keyBuffer.array(), 0, keyBuffer.length());
    }
    if (key.length() > state.maxKeyBytes()) {
      String text = RowFailureMessages.keyTooLarge(key.length(), state.maxKeyBytes());
      return fail(StatusCode.INVALID_ARGUMENT, text);
    }
    return true;
  }

  /** Encodes the key into {@link #keyBuffer}; false after an error. */
  private boolean encodeKey(OperationType type) {
    keyBuffer.clear();
    if (columns.missingKeyColumn() != NONE) {
      return failMissing(columns.missingKeyColumn());
    }
    return columns.autoIncrementing() == NONE ? encodeWholeKey(type) : encodeNumberedKey(type);
  }

  private boolean encodeWholeKey(OperationType type) {
    return columns.keyEncoder().append(reader, keyBuffer)
        || encodeDefaultedKey(type)
        || failMissing(firstUnsetKeyColumn(columns.schema().keyColumnCount()));
  }

  /** Encodes the key of an insert or upsert that omits key columns with a default. */
  private boolean encodeDefaultedKey(OperationType type) {
    if (!type.fillsDefaults()) {
      return false;
    }
    keyBuffer.clear();
    return columns.defaultedKeyEncoder().append(insertCells, keyBuffer);
  }

  /**
   * Encodes a key with an auto-incrementing column: an INSERT or INSERT_IGNORE gets the next
   * number; every other operation must contain its number.
   */
  private boolean encodeNumberedKey(OperationType type) {
    int last = columns.autoIncrementing();
    int given = columns.requestIndex(last);
    boolean isSet = given != NONE && reader.isSet(given);
    if (type != OperationType.INSERT && type != OperationType.INSERT_IGNORE) {
      insertCells.clearAutoIncrement();
      return isNumberValid(type, last, isSet ? given : NONE) && encodeWholeKey(type);
    }
    ColumnSchema column = columns.schema().column(last);
    if (isSet) {
      return fail(StatusCode.INVALID_ARGUMENT, RowFailureMessages.numberGiven(column));
    }
    long counter = state.autoIncrementCounter();
    if (counter == Long.MAX_VALUE) {
      return fail(StatusCode.INVALID_ARGUMENT, RowFailureMessages.numbersUsedUp(column));
    }
    insertCells.setAutoIncrement(counter + 1);
    if (columns.keyEncoder().appendAllButLast(reader, keyBuffer)) {
      KeyEncoder.appendLong(counter + 1, keyBuffer);
      return true;
    }
    return encodeDefaultedKey(type) || failMissing(firstUnsetKeyColumn(last));
  }

  private boolean isNumberValid(OperationType type, int column, int given) {
    if (given == NONE) {
      boolean upsert = type == OperationType.UPSERT || type == OperationType.UPSERT_IGNORE;
      return upsert
          ? fail(StatusCode.INVALID_ARGUMENT, RowFailureMessages.NUMBER_MISSING)
          : failMissing(column);
    }
    if (LittleEndian.getLong(reader.cellArray(given), reader.cellOffset(given)) < 0) {
      return fail(StatusCode.INVALID_ARGUMENT, RowFailureMessages.NUMBER_NEGATIVE);
    }
    return true;
  }

  private int firstUnsetKeyColumn(int before) {
    for (int i = 0; i < before; i++) {
      if (columns.requestIndex(i) == NONE || !reader.hasCell(columns.requestIndex(i))) {
        return i;
      }
    }
    throw new IllegalStateException("All key columns are set");
  }

  /**
   * Raises the auto-increment counter to the number of the inserted row, which was either assigned
   * by {@link #encodeNumberedKey} or contained in the request.
   */
  void countNumber(OperationType type) {
    int column = columns.autoIncrementing();
    if (column == NONE) {
      return;
    }
    boolean ours = type == OperationType.INSERT || type == OperationType.INSERT_IGNORE;
    long number =
        ours
            ? state.autoIncrementCounter() + 1
            : LittleEndian.getLong(insertCells.cellArray(column), insertCells.cellOffset(column));
    state.raiseAutoIncrement(number);
  }

  private boolean failMissing(int tabletIndex) {
    ColumnSchema column = columns.schema().column(tabletIndex);
    return fail(StatusCode.INVALID_ARGUMENT, RowFailureMessages.missingValue(column));
  }

  private boolean fail(StatusCode code, String message) {
    outcomes.failed(row, code, message);
    return false;
  }
}

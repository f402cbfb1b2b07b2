package dev.kudu4j.common.row;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A row of a request that its leader has refused before it was logged, because another row has the
 * value of a unique index. The request is logged with all of its rows, so that all replicas and
 * retries get the same result; only the type of such a row changes:
 *
 * <pre>
 *   1 | result: 2 bits | 0 | place of the index: 4 bits
 *   result: 0 an error, 1 INSERT_IGNORE, 2 UPDATE_IGNORE, 3 UPSERT_IGNORE: the row is skipped
 * </pre>
 */
public final class RefusedOperation {
  /** The lowest number. */
  static final int FIRST_NUMBER = 0x80;

  /** The number of places of indexes. */
  public static final int MAX_INDEXES = 16;

  private static final int FIXED_BITS = 0x90;
  private static final int RESULT_SHIFT = 5;
  private static final int RESULT_MASK = 0x3;
  private static final int PLACE_MASK = MAX_INDEXES - 1;

  private RefusedOperation() {}

  static boolean is(int number) {
    return (number & FIXED_BITS) == FIRST_NUMBER;
  }

  private static int number(OperationType type, int index) {
    int result =
        switch (type) {
          case INSERT_IGNORE -> 1;
          case UPDATE_IGNORE -> 2;
          case UPSERT_IGNORE -> 3;
          default -> 0;
        };
    return FIRST_NUMBER | result << RESULT_SHIFT | index;
  }

  /** The place of the index, from the number of an operation. */
  public static int index(int number) {
    return number & PLACE_MASK;
  }

  /** The operation that skips the row; null if the row is an error. */
  public static @Nullable OperationType skippedBy(int number) {
    return switch (number >> RESULT_SHIFT & RESULT_MASK) {
      case 1 -> OperationType.INSERT_IGNORE;
      case 2 -> OperationType.UPDATE_IGNORE;
      case 3 -> OperationType.UPSERT_IGNORE;
      default -> null;
    };
  }

  /**
   * The rows with some of them refused.
   *
   * @param refused the place of the index by the number of the row, from 0
   */
  public static RowOperations mark(RowOperations rows, Map<Integer, Integer> refused) {
    byte[] marked = new byte[rows.rowsLength()];
    System.arraycopy(rows.rows(), rows.rowsOffset(), marked, 0, marked.length);
    RowOperationsReader reader = rows.reader();
    int start = rows.rowsOffset();
    while (reader.next()) {
      Integer index = refused.get(reader.rowIndex());
      if (index != null) {
        marked[start - rows.rowsOffset()] = (byte) number(reader.type(), index);
      }
      start = reader.endPosition();
    }
    return new RowOperations(
        rows.layout(),
        marked,
        0,
        marked.length,
        rows.indirect(),
        rows.indirectOffset(),
        rows.indirectLength());
  }
}

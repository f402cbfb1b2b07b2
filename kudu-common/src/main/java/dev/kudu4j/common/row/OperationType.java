package dev.kudu4j.common.row;

import org.jspecify.annotations.Nullable;

/** The type of a packed row operation. The numbers are those of {@code RowOperationsPB.Type}. */
public enum OperationType {
  INSERT(1),
  UPDATE(2),
  DELETE(3),
  SPLIT_ROW(4),
  UPSERT(5),
  RANGE_LOWER_BOUND(6),
  RANGE_UPPER_BOUND(7),
  EXCLUSIVE_RANGE_LOWER_BOUND(8),
  INCLUSIVE_RANGE_UPPER_BOUND(9),
  INSERT_IGNORE(10),
  UPDATE_IGNORE(11),
  DELETE_IGNORE(12),
  UPSERT_IGNORE(13),

  /** A row that was refused before it was logged, in the log only; {@link RefusedOperation}. */
  REFUSED(RefusedOperation.FIRST_NUMBER);

  private static final OperationType[] BY_NUMBER = new OperationType[14];

  static {
    for (OperationType type : values()) {
      if (type.wireNumber < BY_NUMBER.length) {
        BY_NUMBER[type.wireNumber] = type;
      }
    }
  }

  private final int wireNumber;

  OperationType(int wireNumber) {
    this.wireNumber = wireNumber;
  }

  public int wireNumber() {
    return wireNumber;
  }

  /** Whether the operation writes a row. Other operations define a split row or a range bound. */
  public boolean isWrite() {
    return switch (this) {
      case INSERT,
          UPDATE,
          DELETE,
          UPSERT,
          INSERT_IGNORE,
          UPDATE_IGNORE,
          DELETE_IGNORE,
          UPSERT_IGNORE ->
          true;
      default -> false;
    };
  }

  /**
   * Whether the operation may insert a row. Unset columns of an inserted row get their defaults.
   */
  public boolean fillsDefaults() {
    return switch (this) {
      case INSERT, INSERT_IGNORE, UPSERT, UPSERT_IGNORE -> true;
      default -> false;
    };
  }

  /** The type with this wire number; null if there is none. */
  public static @Nullable OperationType ofWireNumber(int number) {
    if (RefusedOperation.is(number)) {
      return REFUSED;
    }
    return number < 0 || number >= BY_NUMBER.length ? null : BY_NUMBER[number];
  }
}

package dev.kudu4j.util;

import dev.kudu4j.ColumnTypeAttributes;

/** Limits of VARCHAR. */
public final class CharUtil {
  public static final int MIN_VARCHAR_LENGTH = 1;
  public static final int MAX_VARCHAR_LENGTH = 65535;

  private CharUtil() {}

  /** The type attributes of a VARCHAR column. */
  public static ColumnTypeAttributes typeAttributes(int length) {
    return new ColumnTypeAttributes.ColumnTypeAttributesBuilder().length(length).build();
  }
}

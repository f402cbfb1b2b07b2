package dev.kudu4j.common.predicate;

import dev.kudu4j.common.schema.DataType;
import java.util.List;

/** What is done with predicates: order of values, merging, evaluation of one cell. */
public final class ColumnPredicates {
  private ColumnPredicates() {}

  /**
   * Joins predicates by AND: at most one of each column and kind family comes out, contradictions
   * become {@link ColumnPredicate.None}. Order of first appearance is kept.
   */
  public static List<ColumnPredicate> merge(List<ColumnPredicate> predicates) {
    throw new UnsupportedOperationException("stub");
  }

  /**
   * Compares two cells of a type: signed integers, IEEE order for floats, unsigned bytes for text
   * and binary.
   */
  public static int compareCells(
      DataType type, byte[] left, int leftOffset, int leftLength, byte[] right) {
    throw new UnsupportedOperationException("stub");
  }

  /**
   * Whether one cell matches; {@code cell} is null for NULL. The plain reading, for tests and small
   * data.
   */
  public static boolean matches(ColumnPredicate predicate, byte[] cell) {
    throw new UnsupportedOperationException("stub");
  }
}

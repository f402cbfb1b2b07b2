package dev.kudu4j.tablet.scan.predicate;

import java.io.IOException;

/** A node of the predicate tree. Belongs to one scan; not thread-safe. */
public interface PredicateNode {
  /** Matches every row. */
  PredicateNode ALL =
      new PredicateNode() {
        @Override
        public void filter(RowBlock block, SelectionBitmap rows) {}

        @Override
        public String toString() {
          return "ALL";
        }
      };

  /** Drops from {@code rows} those that do not match. */
  void filter(RowBlock block, SelectionBitmap rows) throws IOException;

  /** The test that the whole predicate is, or null. */
  default ColumnFilter single() {
    return null;
  }
}

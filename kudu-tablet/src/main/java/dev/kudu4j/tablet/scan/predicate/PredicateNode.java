package dev.kudu4j.tablet.scan.predicate;

import dev.kudu4j.tablet.scan.block.RowBlock;
import dev.kudu4j.tablet.scan.block.SelectionBitmap;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

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

  /** Drops the rows that do not match from {@code rows}. */
  void filter(RowBlock block, SelectionBitmap rows) throws IOException;

  /** The nodes that must all match: the children of an AND, else the node itself. */
  default List<PredicateNode> conjuncts() {
    return List.of(this);
  }

  /** The nodes of which one must match: the children of an OR, else the node itself. */
  default List<PredicateNode> alternatives() {
    return List.of(this);
  }

  /** The column filter if the predicate consists of exactly one column filter; else null. */
  default @Nullable ColumnFilter asColumnFilter() {
    return null;
  }

  /** The test if the predicate consists of exactly one test of a column; else null. */
  default @Nullable ColumnTest asColumnTest() {
    return asColumnFilter();
  }
}

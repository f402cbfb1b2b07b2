package dev.kudu4j.tablet.scan.predicate;

import dev.kudu4j.tablet.scan.block.RowBlock;
import dev.kudu4j.tablet.scan.block.SelectionBitmap;

/** Matches no row: a contradiction that the compiler found. */
final class FalseNode implements PredicateNode {
  @Override
  public void filter(RowBlock block, SelectionBitmap rows) {
    rows.clear();
  }

  @Override
  public String toString() {
    return "NOTHING";
  }
}

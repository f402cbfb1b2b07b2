package dev.kudu4j.tablet.scan.predicate;

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

package dev.kudu4j.tablet.scan.predicate;

/** Matches no row: a contradiction, found before anything was read. */
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

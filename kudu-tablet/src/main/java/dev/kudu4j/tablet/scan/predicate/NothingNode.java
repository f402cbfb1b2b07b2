package dev.kudu4j.tablet.scan.predicate;

/** Matches no row: a contradiction, found before anything was read. */
final class NothingNode implements PredicateNode {
  @Override
  public void filter(Block block, Selection rows) {
    rows.clear();
  }

  @Override
  public String toString() {
    return "NOTHING";
  }
}

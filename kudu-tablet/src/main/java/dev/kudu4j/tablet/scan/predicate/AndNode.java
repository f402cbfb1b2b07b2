package dev.kudu4j.tablet.scan.predicate;

import dev.kudu4j.tablet.scan.block.RowBlock;
import dev.kudu4j.tablet.scan.block.SelectionBitmap;
import java.io.IOException;
import java.util.List;

/**
 * Matches if all children match. Each child tests only the rows that all previous children matched.
 */
final class AndNode implements PredicateNode {
  private final PredicateNode[] children;

  AndNode(List<? extends PredicateNode> children) {
    this.children = children.toArray(new PredicateNode[0]);
  }

  @Override
  public void filter(RowBlock block, SelectionBitmap rows) throws IOException {
    for (PredicateNode child : children) {
      if (rows.isEmpty()) {
        return;
      }
      child.filter(block, rows);
    }
  }

  @Override
  public List<PredicateNode> conjuncts() {
    return List.of(children);
  }

  @Override
  public String toString() {
    return "AND" + List.of(children);
  }
}

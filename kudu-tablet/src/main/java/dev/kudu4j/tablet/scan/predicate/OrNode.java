package dev.kudu4j.tablet.scan.predicate;

import dev.kudu4j.tablet.scan.block.RowBlock;
import dev.kudu4j.tablet.scan.block.SelectionBitmap;
import java.io.IOException;
import java.util.List;

/** Matches if a child matches. Each child tests only the rows that no previous child matched. */
final class OrNode implements PredicateNode {
  private final PredicateNode[] children;
  private final SelectionBitmap matched;
  private final SelectionBitmap tested;

  OrNode(List<? extends PredicateNode> children, int maxRows) {
    this.children = children.toArray(new PredicateNode[0]);
    this.matched = new SelectionBitmap(maxRows);
    this.tested = new SelectionBitmap(maxRows);
  }

  @Override
  public void filter(RowBlock block, SelectionBitmap rows) throws IOException {
    matched.copyFrom(rows);
    matched.clear();
    for (PredicateNode child : children) {
      tested.copyFrom(rows);
      tested.clearAll(matched.words());
      if (tested.isEmpty()) {
        return;
      }
      child.filter(block, tested);
      matched.addAll(tested.words());
    }
    rows.copyFrom(matched);
  }

  @Override
  public List<PredicateNode> alternatives() {
    return List.of(children);
  }

  @Override
  public String toString() {
    return "OR" + List.of(children);
  }
}

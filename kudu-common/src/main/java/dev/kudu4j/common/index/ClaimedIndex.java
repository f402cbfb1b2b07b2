package dev.kudu4j.common.index;

import java.util.List;

/**
 * A unique index whose values writers claim, as the tablets of its table know it.
 *
 * @param tablets the ids of the tablets with the claims, by bucket; empty before they exist
 */
public record ClaimedIndex(IndexDefinition definition, List<String> tablets) {
  public ClaimedIndex {
    tablets = List.copyOf(tablets);
  }

  /** Whether writers must claim its values. */
  public boolean isEnforced() {
    return definition.uniqueness().isEnforced() && !tablets.isEmpty();
  }
}

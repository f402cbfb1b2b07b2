package dev.kudu4j.tserver.scan;

import dev.kudu4j.common.index.IndexDefinition;
import dev.kudu4j.common.proto.index.IndexHintPB;
import dev.kudu4j.common.proto.tserver.NewScanRequestPB;
import dev.kudu4j.tablet.scan.index.IndexHint;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/** Converts the index hint of a request, which has names, to one with ids. */
final class IndexHints {
  private IndexHints() {}

  /**
   * @param indexes returns those of the tablet; called if the request names one
   * @throws dev.kudu4j.tserver.error.TabletServerError INVALID_SCAN_SPEC if the request forces an
   *     index that the table does not have
   */
  static IndexHint of(NewScanRequestPB request, Supplier<List<IndexDefinition>> indexes) {
    IndexHint hint = of(request.getIndexHint(), indexes);
    return request.getWantsReport() ? hint.withExplanation() : hint;
  }

  private static IndexHint of(IndexHintPB hint, Supplier<List<IndexDefinition>> indexes) {
    boolean all = hint.getNamesCount() == 0;
    return switch (hint.getUse()) {
      case CHOSEN -> IndexHint.CHOSEN;
      case FORCED -> all ? IndexHint.FORCED : new IndexHint(true, ids(hint, indexes.get()), false);
      case FORBIDDEN -> all ? IndexHint.NONE : without(hint, indexes.get());
    };
  }

  /** All indexes that are not named. */
  private static IndexHint without(IndexHintPB hint, List<IndexDefinition> indexes) {
    Set<Integer> allowed = new HashSet<>();
    for (IndexDefinition index : indexes) {
      if (!hint.getNamesList().contains(index.name())) {
        allowed.add(index.id());
      }
    }
    return new IndexHint(false, allowed, false);
  }

  private static Set<Integer> ids(IndexHintPB hint, List<IndexDefinition> indexes) {
    Set<Integer> ids = new HashSet<>();
    for (String name : hint.getNamesList()) {
      ids.add(
          indexes.stream()
              .filter(index -> index.name().equals(name))
              .findFirst()
              .orElseThrow(() -> ScanPlan.invalidSpec(unknown(name, indexes)))
              .id());
    }
    return ids;
  }

  private static String unknown(String name, List<IndexDefinition> indexes) {
    return indexes.isEmpty()
        ? "The table has no index " + name + ", nor any other index"
        : "The table has no index "
            + name
            + "; it has "
            + String.join(", ", indexes.stream().map(IndexDefinition::name).toList());
  }
}

package dev.kudu4j.tserver.scan;

import dev.kudu4j.common.index.IndexDefinition;
import dev.kudu4j.common.proto.index.IndexHintPB;
import dev.kudu4j.common.proto.tserver.NewScanRequestPB;
import dev.kudu4j.tablet.scan.index.IndexHint;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Converts the index hint of a request, which has names, to one with ids. */
final class IndexHints {
  private IndexHints() {}

  /**
   * @throws dev.kudu4j.tserver.error.TabletServerError INVALID_SCAN_SPEC for the name of an index
   *     that the table does not have
   */
  static IndexHint of(NewScanRequestPB request, List<IndexDefinition> indexes) {
    IndexHint hint = of(request.getIndexHint(), indexes);
    return request.getWantsReport() ? hint.withExplanation() : hint;
  }

  private static IndexHint of(IndexHintPB hint, List<IndexDefinition> indexes) {
    return switch (hint.getUse()) {
      case CHOSEN -> IndexHint.CHOSEN;
      case FORCED ->
          hint.getNamesCount() == 0
              ? IndexHint.FORCED
              : new IndexHint(true, ids(hint, indexes), false);
      case FORBIDDEN -> {
        Set<Integer> allowed = new HashSet<>();
        if (hint.getNamesCount() > 0) {
          indexes.forEach(index -> allowed.add(index.id()));
          allowed.removeAll(ids(hint, indexes));
        }
        yield new IndexHint(false, allowed, false);
      }
    };
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

package dev.kudu4j.tools.index;

import dev.kudu4j.client.KuduIndexComparison;
import dev.kudu4j.tools.cell.Instants;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The comparison of a global index with its table, as text. */
final class ComparisonText {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final int PARTS = 4096;

  private ComparisonText() {}

  static List<String> lines(KuduIndexComparison comparison, long nanos) {
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT,
            "Index %s as of %s: %,d rows of the table and %,d of the index compared, %s; %.1f s",
            comparison.index(),
            Instants.text(comparison.snapshotMicros()),
            comparison.tableRows(),
            comparison.indexRows(),
            differences(comparison),
            nanos / NANOS_PER_SECOND));
    comparison.differences().forEach(difference -> lines.add("  " + difference));
    long more = comparison.differenceCount() - comparison.differences().size();
    if (more > 0) {
      lines.add(String.format(Locale.ROOT, "  and %,d more", more));
    }
    return lines;
  }

  private static String differences(KuduIndexComparison comparison) {
    if (comparison.isEqual()) {
      return "0 differences";
    }
    return String.format(
        Locale.ROOT,
        "%s%,d differences in %d of %d parts",
        comparison.isCountExact() ? "" : "at least ",
        comparison.differenceCount(),
        comparison.differingParts(),
        PARTS);
  }
}

package dev.kudu4j.tools.index;

import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduIndex;
import dev.kudu4j.client.KuduIndexProgress;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.tools.connection.ClusterVerb;
import dev.kudu4j.tools.connection.Target;
import dev.kudu4j.tools.console.ListColumn;
import dev.kudu4j.tools.console.ListFormat;
import dev.kudu4j.tools.console.ListPrinter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Describes the indexes of a table, and how much of them is built. */
@Command(
    name = "describe",
    description = {
      "Prints the definitions of a table's indexes, or of one index, and how much of them the"
          + " tablet servers",
      "have built, as they last reported it. An index is READY when all rowsets of all replicas"
          + " have it.",
      "A unique index is then CHECKING: equal rows are refused, and those from before are searched"
          + " for; it ends READY or FAILED."
    },
    footer = {"  kudu index describe orders", "  kudu index describe orders by_customer"})
final class DescribeIndexVerb extends ClusterVerb {
  @Parameters(
      paramLabel = "[MASTERS] TABLE [INDEX]",
      arity = "1..3",
      hideParamSyntax = true,
      description = Target.HELP)
  private List<String> arguments;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "pretty",
      description =
          "${COMPLETION-CANDIDATES}; default ${DEFAULT-VALUE}. All but pretty print one row for each"
              + " index and tablet.")
  private ListFormat format;

  /** An index with its progress. */
  private record Described(KuduIndex index, KuduIndexProgress progress) {
    long sum(ToLongFunction<KuduIndexProgress.Tablet> figure) {
      return progress.tablets().stream().mapToLong(figure).sum();
    }
  }

  @Override
  public Integer call() throws IOException {
    Target target = Target.withOptional(arguments, "TABLE", "INDEX");
    try (KuduClient client = cluster().client(target.masters())) {
      KuduTable table = client.openTable(target.argument(0));
      List<Described> indexes = describe(table, TableIndexes.of(table, target.optional(1)));
      if (format == ListFormat.pretty) {
        printPretty(table, indexes);
      } else {
        printList(indexes);
      }
    }
    return DONE;
  }

  /** Leaves out indexes that were dropped since the table was opened. */
  private static List<Described> describe(KuduTable table, List<KuduIndex> indexes)
      throws IOException {
    List<Described> described = new ArrayList<>();
    if (indexes.isEmpty()) {
      return described;
    }
    List<KuduIndexProgress> progress = table.getIndexProgress();
    for (KuduIndex index : indexes) {
      progress.stream()
          .filter(one -> one.name().equals(index.getName()))
          .forEach(one -> described.add(new Described(index, one)));
    }
    return described;
  }

  private void printPretty(KuduTable table, List<Described> indexes) {
    if (indexes.isEmpty()) {
      say("Table " + table.getName() + " has no indexes");
    }
    for (Described described : indexes) {
      say("INDEX " + described.index().getName() + " ON " + table.getName());
      say(described.index().toString());
      say(
          String.format(
              Locale.ROOT,
              progressFormat(described.index()),
              described.progress().state(),
              described.sum(KuduIndexProgress.Tablet::builtRowSets),
              described.sum(KuduIndexProgress.Tablet::rowSets),
              described.sum(KuduIndexProgress.Tablet::builtRows),
              described.sum(KuduIndexProgress.Tablet::rows)));
      String failure = described.progress().duplicates();
      if (!failure.isEmpty()) {
        say(
            described.index().isGlobal()
                ? "Failed: " + failure
                : "Not unique: " + failure + "; drop the index");
      }
      try (ListPrinter list = format.open(tabletColumns(), out())) {
        described.progress().tablets().forEach(tablet -> list.row(cells(tablet)));
      }
    }
  }

  private static String progressFormat(KuduIndex index) {
    if (index.isUniqueGlobal()) {
      return "%s: %d of %d tablets, %d of %d rows";
    }
    return index.isGlobal()
        ? "%s: %d of %d replicas, %d of %d rows"
        : "%s: %d of %d rowsets, %d of %d rows";
  }

  private void printList(List<Described> indexes) {
    List<ListColumn> columns =
        new ArrayList<>(ListColumn.texts("Index", "Kind", "Columns", "Included", "State"));
    columns.addAll(tabletColumns());
    try (ListPrinter list = format.open(columns, out())) {
      for (Described described : indexes) {
        for (KuduIndexProgress.Tablet tablet : described.progress().tablets()) {
          List<Object> row =
              new ArrayList<>(
                  List.of(
                      described.index().getName(),
                      TableIndexes.kind(described.index()),
                      String.join(", ", described.index().getColumns()),
                      String.join(", ", described.index().getIncludedColumns()),
                      described.progress().state().name()));
          row.addAll(cells(tablet));
          list.row(row);
        }
      }
    }
  }

  private static List<ListColumn> tabletColumns() {
    return List.of(
        ListColumn.text("Tablet"),
        ListColumn.number("Replicas"),
        ListColumn.number("Replicas built"),
        ListColumn.number("Rowsets"),
        ListColumn.number("Rowsets built"),
        ListColumn.number("Rows"),
        ListColumn.number("Rows built"));
  }

  private static List<Object> cells(KuduIndexProgress.Tablet tablet) {
    return List.of(
        tablet.tabletId(),
        tablet.replicas(),
        tablet.builtReplicas(),
        tablet.rowSets(),
        tablet.builtRowSets(),
        tablet.rows(),
        tablet.builtRows());
  }
}

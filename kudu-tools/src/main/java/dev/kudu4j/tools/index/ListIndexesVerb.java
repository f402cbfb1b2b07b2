package dev.kudu4j.tools.index;

import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduIndex;
import dev.kudu4j.tools.connection.ClusterVerb;
import dev.kudu4j.tools.connection.Target;
import dev.kudu4j.tools.console.ListColumn;
import dev.kudu4j.tools.console.ListFormat;
import dev.kudu4j.tools.console.ListPrinter;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists the indexes of a table. */
@Command(
    name = "list",
    description = "Lists the indexes of a table.",
    footer = "  kudu index list orders")
final class ListIndexesVerb extends ClusterVerb {
  @Parameters(
      paramLabel = "[MASTERS] TABLE",
      arity = "1..2",
      hideParamSyntax = true,
      description = Target.HELP)
  private List<String> arguments;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "pretty",
      description = "${COMPLETION-CANDIDATES}; default ${DEFAULT-VALUE}.")
  private ListFormat format;

  @Override
  public Integer call() throws IOException {
    Target target = Target.of(arguments, "TABLE");
    List<KuduIndex> indexes;
    try (KuduClient client = cluster().client(target.masters())) {
      indexes = client.openTable(target.argument(0)).getIndexes();
    }
    try (ListPrinter list =
        format.open(ListColumn.texts("Index", "Kind", "Columns", "Included"), out())) {
      for (KuduIndex index : indexes) {
        list.row(
            List.of(
                index.getName(),
                TableIndexes.kind(index),
                String.join(", ", index.getColumns()),
                String.join(", ", index.getIncludedColumns())));
      }
    }
    return DONE;
  }
}

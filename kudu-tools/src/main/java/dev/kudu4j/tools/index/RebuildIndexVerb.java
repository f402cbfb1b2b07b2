package dev.kudu4j.tools.index;

import dev.kudu4j.client.AlterTableOptions;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.tools.connection.ClusterVerb;
import dev.kudu4j.tools.connection.Target;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Builds an index again. */
@Command(
    name = "rebuild",
    description = {
      "Makes all servers build an index again, from the rows, in the background. Its definition"
          + " stays.",
      "Use it after kudu index verify has found differences."
    },
    footer = "  kudu index rebuild orders by_customer")
final class RebuildIndexVerb extends ClusterVerb {
  @Parameters(
      paramLabel = "[MASTERS] TABLE INDEX",
      arity = "2..3",
      hideParamSyntax = true,
      description = Target.HELP)
  private List<String> arguments;

  @Override
  public Integer call() throws IOException {
    Target target = Target.of(arguments, "TABLE", "INDEX");
    String table = target.argument(0);
    String index = target.argument(1);
    try (KuduClient client = cluster().client(target.masters())) {
      client.alterTable(table, new AlterTableOptions().rebuildIndex(index));
    }
    say(
        "The servers build the index "
            + index
            + " of table "
            + table
            + " again; kudu index describe shows how far they are");
    return DONE;
  }
}

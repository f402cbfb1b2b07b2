package dev.kudu4j.tools.index;

import dev.kudu4j.client.AlterTableOptions;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.tools.connection.ClusterVerb;
import dev.kudu4j.tools.connection.Target;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Drops an index. */
@Command(
    name = "drop",
    description = "Drops an index; servers remove its files in the background.",
    footer = "  kudu index drop orders by_customer")
final class DropIndexVerb extends ClusterVerb {
  @Parameters(
      paramLabel = "[MASTERS] TABLE INDEX",
      arity = "2..3",
      hideParamSyntax = true,
      description = Target.HELP)
  private List<String> arguments;

  @Override
  public Integer call() throws IOException {
    Target target = Target.of(arguments, "TABLE", "INDEX");
    try (KuduClient client = cluster().client(target.masters())) {
      client.alterTable(target.argument(0), new AlterTableOptions().dropIndex(target.argument(1)));
    }
    say("Table " + target.argument(0) + " has no index " + target.argument(1) + " now");
    return DONE;
  }
}

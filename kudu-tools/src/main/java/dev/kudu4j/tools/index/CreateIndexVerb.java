package dev.kudu4j.tools.index;

import dev.kudu4j.client.AlterTableOptions;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduIndex;
import dev.kudu4j.tools.connection.ClusterVerb;
import dev.kudu4j.tools.connection.Target;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Creates an index. */
@Command(
    name = "create",
    description = {
      "Creates a local index on one or more columns.",
      "Servers build it in the background; scans use what has been built."
    },
    footer = {
      "  kudu index create orders by_customer customer",
      "  kudu index create orders by_date 'order_date,status' --include=price",
      "  kudu index create users by_email 'tenant,email' --unique"
    })
final class CreateIndexVerb extends ClusterVerb {
  @Parameters(
      paramLabel = "[MASTERS] TABLE INDEX COLUMN[,COLUMN]",
      arity = "3..4",
      hideParamSyntax = true,
      description = Target.HELP)
  private List<String> arguments;

  @Option(
      names = "--include",
      split = ",",
      paramLabel = "COLUMN[,COLUMN]",
      description = "Further columns whose cells the index contains; '*' for all others.")
  private List<String> include = List.of();

  @Option(
      names = "--unique",
      description = {
        "Refuse rows with a value that another row has. The index must contain all columns by which"
            + " the table is partitioned.",
        "Servers search the table for equal rows first; kudu index describe shows the state."
      })
  private boolean unique;

  @Override
  public Integer call() throws IOException {
    Target target = Target.of(arguments, "TABLE", "INDEX", "COLUMN[,COLUMN]");
    String[] columns = target.argument(2).split(" *, *");
    KuduIndex index =
        unique
            ? KuduIndex.unique(target.argument(1), columns)
            : KuduIndex.local(target.argument(1), columns);
    if (include.equals(List.of("*"))) {
      index = index.includingOthers();
    } else if (!include.isEmpty()) {
      index = index.including(include.toArray(String[]::new));
    }
    try (KuduClient client = cluster().client(target.masters())) {
      client.alterTable(target.argument(0), new AlterTableOptions().addIndex(index));
    }
    say(
        "Table "
            + target.argument(0)
            + " has the index "
            + index.getName()
            + ", "
            + index
            + " now");
    return DONE;
  }
}

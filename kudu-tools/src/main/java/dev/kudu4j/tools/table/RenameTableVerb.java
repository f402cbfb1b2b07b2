package dev.kudu4j.tools.table;

import dev.kudu4j.client.AlterTableOptions;
import dev.kudu4j.tools.connection.Target;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Renames a table. */
@Command(
    name = "rename_table",
    description = "Renames a table.",
    footer = "  kudu table rename_table flights flights_2013")
final class RenameTableVerb extends AlterVerb {
  @Parameters(
      paramLabel = "[MASTERS] TABLE NEW_NAME",
      arity = "2..3",
      hideParamSyntax = true,
      description = Target.HELP)
  private List<String> arguments;

  @Override
  public Integer call() throws IOException {
    Target target = Target.of(arguments, "TABLE", "NEW_NAME");
    String name = target.argument(1);
    alter(
        target,
        (table, known) -> new AlterTableOptions().renameTable(name),
        "Table " + target.argument(0) + " is called " + name + " now");
    return DONE;
  }
}

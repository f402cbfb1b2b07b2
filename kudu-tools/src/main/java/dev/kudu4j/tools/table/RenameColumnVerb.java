package dev.kudu4j.tools.table;

import dev.kudu4j.client.AlterTableOptions;
import dev.kudu4j.tools.connection.Target;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Renames a column. */
@Command(
    name = "rename_column",
    description = "Renames a column.",
    footer = "  kudu table rename_column flights note remark")
final class RenameColumnVerb extends AlterVerb {
  @Parameters(
      paramLabel = "[MASTERS] TABLE COLUMN NEW_NAME",
      arity = "3..4",
      hideParamSyntax = true,
      description = Target.HELP)
  private List<String> arguments;

  @Override
  public Integer call() throws IOException {
    Target target = Target.of(arguments, "TABLE", "COLUMN", "NEW_NAME");
    String column = target.argument(1);
    String name = target.argument(2);
    alter(
        target,
        (table, known) -> {
          checkColumn(table, column);
          checkAbsent(table, name);
          return new AlterTableOptions().renameColumn(column, name);
        },
        "Column " + column + " of table " + target.argument(0) + " is called " + name + " now");
    return DONE;
  }
}

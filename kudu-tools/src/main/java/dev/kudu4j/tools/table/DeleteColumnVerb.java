package dev.kudu4j.tools.table;

import dev.kudu4j.client.AlterTableOptions;
import dev.kudu4j.tools.connection.Target;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Deletes a column. */
@Command(
    name = "delete_column",
    description = "Deletes a column and its cells; key columns cannot be deleted.",
    footer = "  kudu table delete_column flights note")
final class DeleteColumnVerb extends AlterVerb {
  @Parameters(
      paramLabel = "[MASTERS] TABLE COLUMN",
      arity = "2..3",
      hideParamSyntax = true,
      description = Target.HELP)
  private List<String> arguments;

  @Override
  public Integer call() throws IOException {
    Target target = Target.of(arguments, "TABLE", "COLUMN");
    String column = target.argument(1);
    alter(
        target,
        (table, known) -> {
          checkColumn(table, column);
          return new AlterTableOptions().dropColumn(column);
        },
        "Deleted column " + column + " of table " + target.argument(0));
    return DONE;
  }
}

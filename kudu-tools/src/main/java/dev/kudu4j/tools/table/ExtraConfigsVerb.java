package dev.kudu4j.tools.table;

import dev.kudu4j.tools.connection.ClusterCalls;
import dev.kudu4j.tools.connection.ClusterVerb;
import dev.kudu4j.tools.connection.Target;
import dev.kudu4j.tools.console.ListColumn;
import dev.kudu4j.tools.console.ListFormat;
import dev.kudu4j.tools.console.ListPrinter;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints the extra configuration properties of a table. */
@Command(
    name = "get_extra_configs",
    description = "Prints the properties of a table that set_extra_config or create has set.",
    footer = {
      "  kudu table get_extra_configs flights",
      "  kudu table get_extra_configs flights --config_names=kudu.table.history_max_age_sec"
    })
final class ExtraConfigsVerb extends ClusterVerb {
  @Parameters(
      paramLabel = "[MASTERS] TABLE",
      arity = "1..2",
      hideParamSyntax = true,
      description = Target.HELP)
  private List<String> arguments;

  @Option(
      names = "--config_names",
      split = ",",
      paramLabel = "NAME[,NAME]",
      description = "Only these properties, if they are set; default: all that are set.")
  private List<String> names = List.of();

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "pretty",
      description = "${COMPLETION-CANDIDATES}; default ${DEFAULT-VALUE}.")
  private ListFormat format;

  @Override
  public Integer call() {
    Target target = Target.of(arguments, "TABLE");
    Map<String, String> configs;
    try (ClusterCalls calls = cluster().connect(target.masters())) {
      configs = TableInfo.of(target.argument(0), calls).extraConfigs();
    }
    try (ListPrinter list = format.open(ListColumn.texts("Configuration", "Value"), out())) {
      configs.forEach(
          (name, value) -> {
            if (names.isEmpty() || names.contains(name)) {
              list.row(List.of(name, value));
            }
          });
    }
    return DONE;
  }
}

package dev.kudu4j.tools.table;

import dev.kudu4j.client.KuduClient;
import dev.kudu4j.common.proto.master.ListTablesRequestPB;
import dev.kudu4j.common.proto.master.ListTablesResponsePB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tools.connection.ClusterCalls;
import dev.kudu4j.tools.connection.ClusterVerb;
import dev.kudu4j.tools.connection.Masters;
import dev.kudu4j.tools.connection.Target;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Restores a deleted table. */
@Command(
    name = "recall",
    description = {
      "Restores a deleted table within its reserve time (kudu table delete --reserve_seconds).",
      "TABLE is its id, or its name if it is unique among the deleted tables."
    },
    footer = {
      "  kudu table list --soft_deleted_only",
      "  kudu table recall 0123456789abcdef0123456789abcdef",
      "  kudu table recall 127.0.0.1:7051 flights --new_table_name=flights_again"
    })
final class RecallVerb extends ClusterVerb {
  @Parameters(
      paramLabel = "[MASTERS] TABLE",
      arity = "1..2",
      hideParamSyntax = true,
      description = Target.HELP)
  private List<String> arguments;

  @Option(
      names = "--new_table_name",
      paramLabel = "NAME",
      description = "The name of the restored table; default: its previous name.")
  private String newName;

  @Override
  public Integer call() throws IOException {
    Target target = Target.of(arguments, "TABLE");
    try (ClusterCalls calls = cluster().connect(target.masters())) {
      ListTablesResponsePB.TableInfo table = find(target.argument(0), target.masters(), calls);
      String id = table.getId().toStringUtf8();
      try (KuduClient client = cluster().client(target.masters())) {
        if (newName == null) {
          client.recallDeletedTable(id);
        } else {
          client.recallDeletedTable(id, newName);
        }
      }
      String renamed = newName == null ? "" : " as " + newName;
      say("Recalled table " + table.getName() + " (" + id + ")" + renamed);
    }
    return DONE;
  }

  private static ListTablesResponsePB.TableInfo find(
      String idOrName, Masters masters, ClusterCalls calls) {
    List<ListTablesResponsePB.TableInfo> found =
        calls.tables(ListTablesRequestPB.newBuilder().setShowSoftDeleted(true).build()).stream()
            .filter(
                table ->
                    table.getId().toStringUtf8().equals(idOrName)
                        || table.getName().equals(idOrName))
            .toList();
    if (found.isEmpty()) {
      throw KuduException.notFound(
          "There is no deleted table '%s' to recall on %s; kudu table list --soft_deleted_only"
              + " lists the deleted tables",
          idOrName, masters);
    }
    if (found.size() > 1) {
      throw KuduException.invalidArgument(
          "%d deleted tables have the name %s; recall one by its id: %s",
          found.size(),
          idOrName,
          found.stream()
              .map(table -> table.getId().toStringUtf8())
              .collect(Collectors.joining(", ")));
    }
    return found.get(0);
  }
}

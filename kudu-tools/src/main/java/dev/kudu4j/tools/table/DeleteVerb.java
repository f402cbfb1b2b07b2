package dev.kudu4j.tools.table;

import dev.kudu4j.client.KuduClient;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.tools.connection.ClusterCalls;
import dev.kudu4j.tools.connection.ClusterVerb;
import dev.kudu4j.tools.connection.Target;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Deletes a table without confirmation, like Apache Kudu's tool. */
@Command(
    name = "delete",
    description = {
      "Deletes a table and its rows immediately and without confirmation. With"
          + " --reserve_seconds, kudu",
      "table recall can restore it within that time."
    },
    footer = {
      "  kudu table delete flights",
      "  kudu table delete 127.0.0.1:7051 flights --if_exists"
    })
final class DeleteVerb extends ClusterVerb {
  @Parameters(
      paramLabel = "[MASTERS] TABLE",
      arity = "1..2",
      hideParamSyntax = true,
      description = Target.HELP)
  private List<String> arguments;

  @Option(names = "--if_exists", description = "Succeeds if there is no such table.")
  private boolean ifExists;

  @Option(
      names = "--reserve_seconds",
      paramLabel = "N",
      defaultValue = "-1",
      description = "Time for which the table can be recalled; default: the master's default.")
  private int reserveSeconds;

  @Override
  public Integer call() throws IOException {
    Target target = Target.of(arguments, "TABLE");
    String name = target.argument(0);
    try (ClusterCalls calls = cluster().connect(target.masters())) {
      String id = calls.table(name).getTableId().toStringUtf8();
      try (KuduClient client = cluster().client(target.masters())) {
        if (reserveSeconds < 0) {
          client.deleteTable(name);
        } else {
          client.deleteTable(name, reserveSeconds);
        }
      }
      say("Deleted table " + name + recallable(id));
    } catch (KuduException e) {
      if (ifExists && e.code() == StatusCode.NOT_FOUND) {
        say("There is no table " + name);
        return DONE;
      }
      throw e;
    }
    return DONE;
  }

  private String recallable(String id) {
    return reserveSeconds <= 0
        ? ""
        : "; kudu table recall " + id + " restores it within " + reserveSeconds + " s";
  }
}

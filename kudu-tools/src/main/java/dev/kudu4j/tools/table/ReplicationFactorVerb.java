package dev.kudu4j.tools.table;

import dev.kudu4j.common.proto.master.AlterTableRequestPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tools.connection.Target;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Sets the replication factor of a table. */
@Command(
    name = "set_replication_factor",
    description = {
      "Sets the number of replicas of each tablet of a table, an odd number. The"
          + " masters then add or",
      "remove replicas, which takes a while; kudu cluster ksck shows the progress."
    },
    footer = "  kudu table set_replication_factor flights 3")
final class ReplicationFactorVerb extends AlterVerb {
  @Parameters(
      paramLabel = "[MASTERS] TABLE REPLICAS",
      arity = "2..3",
      hideParamSyntax = true,
      description = Target.HELP)
  private List<String> arguments;

  @Override
  public Integer call() {
    Target target = Target.of(arguments, "TABLE", "REPLICAS");
    String text = target.argument(1);
    if (!text.matches("[1-9]\\d{0,2}")) {
      throw KuduException.invalidArgument(
          "REPLICAS is '%s'; it must be an odd number such as 1, 3 or 5", text);
    }
    alterDirectly(
        target,
        AlterTableRequestPB.newBuilder().setNumReplicas(Integer.parseInt(text)),
        "Table " + target.argument(0) + " has replication factor " + text + " now");
    return DONE;
  }
}

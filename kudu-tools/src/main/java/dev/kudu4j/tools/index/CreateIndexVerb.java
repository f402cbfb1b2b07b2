package dev.kudu4j.tools.index;

import dev.kudu4j.client.AlterTableOptions;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduIndex;
import dev.kudu4j.common.status.KuduException;
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
      "Creates an index on one or more columns.",
      "Servers build it in the background. Scans use what has been built of a local index, and a"
          + " global one when it is complete."
    },
    footer = {
      "  kudu index create orders by_customer customer",
      "  kudu index create orders by_date 'order_date,status' --include=price",
      "  kudu index create users by_email 'tenant,email' --unique",
      "  kudu index create users by_phone phone --unique --kind=global",
      "  kudu index create orders by_part part --kind=global --include=price",
      "  kudu index create orders by_day order_date --kind=clustering --hash=order_date --buckets=8"
    })
final class CreateIndexVerb extends ClusterVerb {
  @Parameters(
      paramLabel = "[MASTERS] TABLE INDEX COLUMN[,COLUMN]",
      arity = "3..4",
      hideParamSyntax = true,
      description = Target.HELP)
  private List<String> arguments;

  /** Where the rows of an index are. */
  enum Kind {
    local,
    global,
    clustering
  }

  @Option(
      names = "--kind",
      paramLabel = "KIND",
      defaultValue = "local",
      description = {
        "${COMPLETION-CANDIDATES}; default ${DEFAULT-VALUE}.",
        "local: beside the rows of each tablet. global: in tablets of its own, for look-ups that"
            + " should not ask all tablets. clustering: global, with all columns."
      })
  private Kind kind;

  @Option(
      names = "--hash",
      split = ",",
      paramLabel = "COLUMN[,COLUMN]",
      description =
          "Columns by whose hash the rows of a global index are distributed; default those by which"
              + " the table is hashed, or else the primary key.")
  private List<String> hash = List.of();

  @Option(
      names = "--buckets",
      paramLabel = "N",
      description = "The number of tablets of a global index; default 4.")
  private Integer buckets;

  @Option(
      names = "--include",
      split = ",",
      paramLabel = "COLUMN[,COLUMN]",
      description = "Further columns whose cells the index contains; '*' for all others.")
  private List<String> include = List.of();

  @Option(
      names = "--unique",
      description = {
        "Refuse rows with a value that another row has. A local index must contain all columns by"
            + " which the table is partitioned; with --kind=global, writes take one round of"
            + " Raft more.",
        "Servers search the table for equal rows first; kudu index describe shows the state."
      })
  private boolean unique;

  @Override
  public Integer call() throws IOException {
    Target target = Target.of(arguments, "TABLE", "INDEX", "COLUMN[,COLUMN]");
    String[] columns = target.argument(2).split(" *, *");
    KuduIndex index = index(target.argument(1), columns);
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

  private KuduIndex index(String name, String[] columns) {
    if (kind == Kind.local) {
      if (buckets != null || !hash.isEmpty()) {
        throw KuduException.invalidArgument(
            "--hash and --buckets are for global indexes; add --kind=global");
      }
      return unique ? KuduIndex.unique(name, columns) : KuduIndex.local(name, columns);
    }
    if (unique && kind == Kind.clustering) {
      throw KuduException.invalidArgument(
          "A unique index is local or global; use --kind=global, or leave out --unique");
    }
    KuduIndex index = withTablets(name, columns);
    return buckets == null && hash.isEmpty()
        ? index
        : index.hashedBy(
            buckets == null ? KuduIndex.DEFAULT_BUCKETS : buckets, hash.toArray(String[]::new));
  }

  private KuduIndex withTablets(String name, String[] columns) {
    if (kind == Kind.clustering) {
      return KuduIndex.clustering(name, columns);
    }
    return unique ? KuduIndex.uniqueGlobal(name, columns) : KuduIndex.global(name, columns);
  }
}

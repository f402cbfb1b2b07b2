package dev.kudu4j.tools.table;

import dev.kudu4j.client.AsyncKuduScanner.ReadMode;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduScanToken;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tools.connection.ClusterCalls;
import dev.kudu4j.tools.connection.ClusterVerb;
import dev.kudu4j.tools.connection.Masters;
import dev.kudu4j.tools.connection.Target;
import dev.kudu4j.tools.phrase.PredicateJson;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Copies a table, to another cluster or another name. */
@Command(
    name = "copy",
    description = {
      "Copies the rows of a table to a table with the same columns, which is"
          + " created if absent. The rows",
      "of a tablet are read at one snapshot. The first rejected row ends the copy."
    },
    footer = {
      "  kudu table copy flights 127.0.0.1:7051 --dst_table=flights_copy",
      "  kudu table copy 127.0.0.1:7051 flights other:7051 --write_type=upsert",
      "  kudu table copy flights other:7051 --write_type=''            (creates the table only)"
    })
final class CopyVerb extends ClusterVerb {
  @Parameters(
      paramLabel = "[MASTERS] TABLE DEST_MASTERS",
      arity = "2..3",
      hideParamSyntax = true,
      description = {Target.HELP, "DEST_MASTERS: the masters of the target cluster."})
  private List<String> arguments;

  @Option(
      names = "--dst_table",
      paramLabel = "NAME",
      description = "The target table; default: the same name.")
  private String targetName;

  @Option(
      names = "--create_table",
      arity = "1",
      defaultValue = "true",
      paramLabel = "true|false",
      description = "Creates the target table if it is absent; default ${DEFAULT-VALUE}.")
  private boolean createTable;

  @Option(
      names = "--create_table_replication_factor",
      paramLabel = "N",
      description = "Number of replicas of a created table; default: as the source.")
  private int replicas;

  @Option(
      names = "--predicates",
      paramLabel = "JSON",
      description = "Copies only rows that satisfy this condition: [\">=\", \"id\", 5].")
  private String predicates;

  @Option(
      names = "--tablets",
      split = ",",
      paramLabel = "ID[,ID]",
      description = "Copies only these tablets; default: all.")
  private List<String> tablets = List.of();

  @Option(
      names = "--write_type",
      paramLabel = "TYPE",
      defaultValue = "insert",
      description = "insert, the default, upsert, or '' to copy no rows.")
  private String writeType;

  @Option(
      names = "--num_threads",
      paramLabel = "N",
      defaultValue = "2",
      description =
          "Number of tablets that are copied at the same time; default" + " ${DEFAULT-VALUE}.")
  private int threads;

  @Override
  public Integer call() throws IOException {
    Target target = Target.of(arguments, "TABLE", "DEST_MASTERS");
    String source = target.argument(0);
    String name = targetName == null ? source : targetName;
    Masters destination = Masters.of(target.argument(1));
    TableCopy.Write write = write();
    if (threads < 1) {
      throw KuduException.invalidArgument("--num_threads=%d must be at least 1", threads);
    }
    try (ClusterCalls calls = cluster().connect(target.masters());
        ClusterCalls destinationCalls = cluster().connect(destination)) {
      TableInfo known = TableInfo.of(source, calls);
      try (KuduClient from = cluster().client(target.masters());
          KuduClient to = cluster().client(destination)) {
        KuduTable read = from.openTable(source);
        KuduTable written = open(to, name, read, known, destinationCalls);
        if (write == null) {
          say("Copied no rows of " + source + ", because --write_type is empty");
        } else {
          copy(new TableCopy(from, to, written, write), tokens(from, read), source, written);
        }
      }
    }
    return DONE;
  }

  /** The write operation; null if only the table is created and no rows are copied. */
  private TableCopy.Write write() {
    return switch (writeType.toLowerCase(Locale.ROOT)) {
      case "insert" -> TableCopy.Write.INSERT;
      case "upsert" -> TableCopy.Write.UPSERT;
      case "" -> null;
      default ->
          throw KuduException.invalidArgument(
              "--write_type=%s: must be insert, upsert or ''", writeType);
    };
  }

  private KuduTable open(
      KuduClient to, String name, KuduTable source, TableInfo known, ClusterCalls calls)
      throws IOException {
    if (createTable && !to.tableExists(name)) {
      TableDefinition definition = DefinitionReader.read(DefinitionWriter.document(known));
      if (replicas != 0) {
        definition.replicas(replicas);
      }
      say("Created table " + name + " on " + calls.masters());
      return to.createTable(name, source.getSchema(), definition.options(source.getSchema()));
    }
    calls.table(name);
    KuduTable table = to.openTable(name);
    if (table.getTableId().equals(source.getTableId())) {
      throw KuduException.invalidArgument(
          "Table %s cannot be copied to itself; give another name with --dst_table", name);
    }
    TableCopy.checkSameColumns(source.getSchema(), table.getSchema(), name);
    return table;
  }

  private List<KuduScanToken> tokens(KuduClient client, KuduTable table) {
    KuduScanToken.KuduScanTokenBuilder builder =
        client
            .newScanTokenBuilder(table)
            .globalIndexes(false) // --tablets are those of the table
            .readMode(ReadMode.READ_AT_SNAPSHOT)
            .cacheBlocks(false);
    if (predicates != null && !predicates.isBlank()) {
      PredicateJson.parse(predicates)
          .forEach(condition -> builder.addPredicate(condition.predicate(table.getSchema())));
    }
    List<KuduScanToken> tokens = TableCopy.ofTablets(builder.build(), tablets);
    if (tokens.isEmpty() && !tablets.isEmpty()) {
      throw KuduException.notFound(
          "None of --tablets belongs to table %s and matches --predicates; kudu table"
              + " list --list_tablets lists the tablets",
          table.getName());
    }
    return tokens;
  }

  private void copy(TableCopy copy, List<KuduScanToken> tokens, String source, KuduTable written)
      throws IOException {
    long start = System.nanoTime();
    try {
      copy.run(tokens, threads);
    } finally {
      double seconds = (System.nanoTime() - start) / (double) TimeUnit.SECONDS.toNanos(1);
      say(
          String.format(
              Locale.ROOT,
              "Copied %,d rows of %s to %s in %.1f s (%,.0f rows/s)",
              copy.copied(),
              source,
              written.getName(),
              seconds,
              copy.copied() / Math.max(seconds, 0.001)));
    }
  }
}

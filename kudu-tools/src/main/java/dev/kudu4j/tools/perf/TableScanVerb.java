package dev.kudu4j.tools.perf;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Schema;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduScanToken;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.ReplicaSelection;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tools.connection.ClusterCalls;
import dev.kudu4j.tools.connection.ClusterVerb;
import dev.kudu4j.tools.connection.Target;
import dev.kudu4j.tools.console.Counter;
import dev.kudu4j.tools.phrase.Condition;
import dev.kudu4j.tools.phrase.PredicateJson;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Reads a table and measures the time, in total and per tablet. */
@Command(
    name = "table_scan",
    description = {
      "Reads a table, several tablets in parallel, without printing its rows;"
          + " prints their number and the time."
    },
    footer = {
      "  kudu perf table_scan flights",
      "  kudu perf table_scan 127.0.0.1:7051 flights --num_threads=8 --report_scanner_stats",
      "  kudu perf table_scan flights --columns=dep_delay -predicates='[\">=\", \"month\", 6]'"
    })
final class TableScanVerb extends ClusterVerb {
  @Parameters(
      paramLabel = "[MASTERS] TABLE",
      arity = "1..2",
      hideParamSyntax = true,
      description = Target.HELP)
  private List<String> arguments;

  @Option(
      names = "--columns",
      split = ",",
      paramLabel = "COLUMN[,COLUMN]",
      description = "Reads only these columns; default: all.")
  private List<String> columns;

  @Option(names = "--row_count_only", description = "Reads no columns, except those of predicates.")
  private boolean rowCountOnly;

  @Option(
      names = "--predicates",
      paramLabel = "JSON",
      defaultValue = "",
      description =
          "Only rows that satisfy this condition: [\"AND\", [\">=\", \"id\", 5],"
              + " [\"NOTNULL\", \"v\"]].")
  private String predicates;

  @Option(
      names = "--num_threads",
      paramLabel = "N",
      defaultValue = "2",
      description = "Number of tablets that are read in parallel; default ${DEFAULT-VALUE}.")
  private int threads;

  @Option(
      names = "--tablets",
      split = ",",
      paramLabel = "ID[,ID]",
      description = "Only these tablets; default: all.")
  private List<String> tablets = List.of();

  @Option(
      names = "--report_scanner_stats",
      description =
          "Prints a report for each tablet: rows, time, calls, and the server's" + " counters.")
  private boolean reportTablets;

  @Option(
      names = "--fill_cache",
      arity = "0..1",
      defaultValue = "true",
      fallbackValue = "true",
      description = "Whether the servers cache the pages that are read; default true.")
  private boolean fillCache;

  @Option(
      names = "--fault_tolerant",
      description =
          "Continues on another replica if a server fails; reads the rows of a tablet"
              + " in key order.")
  private boolean faultTolerant;

  @Option(
      names = "--replica_selection",
      paramLabel = "WHICH",
      defaultValue = "CLOSEST",
      description = "${COMPLETION-CANDIDATES}; default ${DEFAULT-VALUE}.")
  private Replicas replicas;

  @Option(
      names = "--scan_batch_size",
      paramLabel = "BYTES",
      description = "Batch size in bytes; default: the server's default.")
  private int batchBytes = -1;

  /** The replicas to read. */
  enum Replicas {
    CLOSEST(ReplicaSelection.CLOSEST_REPLICA),
    LEADER(ReplicaSelection.LEADER_ONLY);

    private final ReplicaSelection selection;

    Replicas(ReplicaSelection selection) {
      this.selection = selection;
    }
  }

  @Override
  public Integer call() throws IOException {
    LoadgenOptions.demand(threads > 0, "--num_threads", threads, "must be positive");
    Target target = Target.of(arguments, "TABLE");
    List<Condition> conditions = predicates.isBlank() ? List.of() : PredicateJson.parse(predicates);
    try (ClusterCalls calls = cluster().connect(target.masters())) {
      calls.table(target.argument(0));
      try (KuduClient client = cluster().client(target.masters())) {
        scan(client, client.openTable(target.argument(0)), conditions);
      }
    }
    return DONE;
  }

  private void scan(KuduClient client, KuduTable table, List<Condition> conditions)
      throws IOException {
    LongAdder rows = new LongAdder();
    List<TabletScan> scans = new ArrayList<>();
    for (KuduScanToken token : tokens(client, table, conditions)) {
      scans.add(new TabletScan(client, token, rows, this::report));
    }
    long start = System.nanoTime();
    try (Counter counter = Counter.rows("scan")) {
      Workers.run(threads, scans, rows::sum, counter);
    }
    double seconds = (System.nanoTime() - start) / (double) TimeUnit.SECONDS.toNanos(1);
    say(String.format(Locale.ROOT, "Total count %d cost %.6f seconds", rows.sum(), seconds));
  }

  private List<KuduScanToken> tokens(
      KuduClient client, KuduTable table, List<Condition> conditions) {
    KuduScanToken.KuduScanTokenBuilder builder =
        client.newScanTokenBuilder(table).globalIndexes(false);
    Schema schema = table.getSchema();
    conditions.forEach(condition -> builder.addPredicate(condition.predicate(schema)));
    builder.setProjectedColumnNames(projection(schema));
    builder.cacheBlocks(fillCache);
    builder.setFaultTolerant(faultTolerant).replicaSelection(replicas.selection);
    if (batchBytes > 0) {
      builder.batchSizeBytes(batchBytes);
    }
    List<KuduScanToken> all = builder.build();
    if (tablets.isEmpty()) {
      return all;
    }
    Set<String> known = all.stream().map(TabletScan::tablet).collect(Collectors.toSet());
    for (String wanted : tablets) {
      if (!known.contains(wanted)) {
        throw KuduException.notFound(
            "Table %s has no tablet %s%s; kudu table list --list_tablets lists tablets",
            table.getName(), wanted, conditions.isEmpty() ? "" : " that the predicates select");
      }
    }
    return all.stream().filter(token -> tablets.contains(TabletScan.tablet(token))).toList();
  }

  private List<String> projection(Schema schema) {
    if (rowCountOnly && columns != null) {
      throw KuduException.invalidArgument("--row_count_only cannot be combined with --columns");
    }
    if (rowCountOnly) {
      return List.of();
    }
    return columns == null
        ? schema.getColumns().stream().map(ColumnSchema::getName).toList()
        : columns.stream().map(name -> Condition.column(schema, name.strip()).getName()).toList();
  }

  private synchronized void report(TabletScan.Figures figures) {
    if (reportTablets) {
      figures.lines().forEach(this::say);
    }
  }
}

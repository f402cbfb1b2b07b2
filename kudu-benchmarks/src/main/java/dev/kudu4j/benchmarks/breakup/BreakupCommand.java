package dev.kudu4j.benchmarks.breakup;

import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.benchmarks.cluster.Cluster;
import dev.kudu4j.benchmarks.cluster.Registration;
import dev.kudu4j.benchmarks.cluster.ServerCounts;
import dev.kudu4j.benchmarks.cluster.ServerProcess;
import dev.kudu4j.benchmarks.cluster.StatusClient;
import dev.kudu4j.benchmarks.options.HomeOptions;
import dev.kudu4j.benchmarks.options.OutputOptions;
import dev.kudu4j.benchmarks.options.WorkDirectory;
import dev.kudu4j.benchmarks.report.Chart;
import dev.kudu4j.benchmarks.report.Machine;
import dev.kudu4j.benchmarks.report.Report;
import dev.kudu4j.benchmarks.report.Table;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduPredicate;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.PartialRow;
import dev.kudu4j.client.Upsert;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench breakup}: the parts of the time of reads and writes. */
@Command(
    name = "breakup",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description = {
      "Upserts single rows, reads rows by key and scans the table with one client, and breaks the"
          + " mean time of an operation up into its parts: event loop, queue, handler, Raft, apply"
          + " and send on the server, from one call in 16, and the rest, which is the network and"
          + " the client."
    })
public final class BreakupCommand implements Callable<Integer> {
  private static final String[] SPANS = {"loop", "queue", "handler", "raft", "apply", "send"};

  @Mixin private OutputOptions output;
  @Mixin private HomeOptions home;
  @Mixin private WorkDirectory workDirectory;

  @Option(
      names = "--model",
      defaultValue = "adaptive",
      description = "Thread model of the servers: pool, shared, per_request or adaptive.")
  private String model;

  @Option(names = "--servers", defaultValue = "1", description = "Tablet servers, and replicas.")
  private int servers;

  @Option(
      names = "--operations",
      defaultValue = "20000",
      description = "Number of measured single operations of each kind; as many rows are scanned.")
  private int operations;

  /** An operation of the client. */
  private interface Operation {
    void run(long number) throws Exception;
  }

  @Override
  public Integer call() throws Exception {
    Machine machine = Machine.here();
    output.publish(report(machine, workDirectory.run(this::measure)));
    return 0;
  }

  private List<Breakup> measure(Path directory) throws Exception {
    try (StatusClient rpc = new StatusClient();
        Cluster cluster =
            Cluster.start(
                home.ours(), directory, servers, List.of("--rpc_thread_model=" + model), rpc);
        KuduClient client = new KuduClient.KuduClientBuilder(cluster.masterAddresses()).build()) {
      Registration.await(client, servers);
      KuduTable table = create(client);
      KuduSession session = client.newSession();
      SplittableRandom random = new SplittableRandom(1);
      List<Breakup> all = new ArrayList<>();
      Operation upsert = number -> session.apply(upsert(table, number % operations));
      all.add(measure("upsert of a row", "Write", cluster, operations, upsert));
      cluster.flush();
      Operation read = number -> expect(1, scan(client, table, random.nextInt(operations)));
      all.add(measure("row by key", "Scan", cluster, operations, read));
      Operation scan = number -> expect(operations, scan(client, table, -1));
      all.add(measure("scan of all rows", "Scan", cluster, 200, scan));
      session.close();
      return all;
    }
  }

  private KuduTable create(KuduClient client) throws Exception {
    Schema schema =
        new Schema(
            List.of(
                new ColumnSchemaBuilder("id", Type.INT64).key(true).build(),
                new ColumnSchemaBuilder("amount", Type.DOUBLE).build(),
                new ColumnSchemaBuilder("note", Type.STRING).build()));
    return client.createTable(
        "breakup",
        schema,
        new CreateTableOptions().setRangePartitionColumns(List.of()).setNumReplicas(servers));
  }

  private static Upsert upsert(KuduTable table, long id) {
    Upsert upsert = table.newUpsert();
    PartialRow row = upsert.getRow();
    row.addLong(0, id);
    row.addDouble(1, id / 100.0);
    row.addString(2, "note number " + id);
    return upsert;
  }

  /** The number of rows with this id, or of all rows if it is negative. */
  private static int scan(KuduClient client, KuduTable table, long id) throws Exception {
    var builder = client.newScannerBuilder(table);
    if (id >= 0) {
      builder.addPredicate(
          KuduPredicate.newComparisonPredicate(
              table.getSchema().getColumnByIndex(0), KuduPredicate.ComparisonOp.EQUAL, id));
    }
    KuduScanner scanner = builder.build();
    int rows = 0;
    while (scanner.hasMoreRows()) {
      rows += scanner.nextRows().getNumRows();
    }
    return rows;
  }

  private static void expect(int expected, int found) {
    if (found != expected) {
      throw new IllegalStateException("Found %d rows instead of %d".formatted(found, expected));
    }
  }

  /** Runs the operation as a warm-up, then measures it. */
  private Breakup measure(
      String title, String method, Cluster cluster, int count, Operation operation)
      throws Exception {
    output.progress(title);
    for (int i = 0; i < count; i++) {
      operation.run(i);
    }
    Map<String, Double> before = sums(cluster, method);
    long start = System.nanoTime();
    for (int i = 0; i < count; i++) {
      operation.run(i);
    }
    double total = (System.nanoTime() - start) / 1e3 / count;
    Map<String, Double> after = sums(cluster, method);
    double received = after.get("received") - before.get("received");
    double sampled = after.get("sampled") - before.get("sampled");
    Map<String, Double> spans = new LinkedHashMap<>();
    for (String span : SPANS) {
      double perCall = (after.get(span) - before.get(span)) * 1e6 / sampled;
      spans.put(span, perCall * received / count);
    }
    return new Breakup(title, spans, total);
  }

  private static Map<String, Double> sums(Cluster cluster, String method) {
    Map<String, Double> sums = new LinkedHashMap<>();
    String label = "method=\"" + method + "\"";
    for (ServerProcess server : cluster.tabletServers()) {
      ServerCounts counts = cluster.counts(server);
      sums.merge("received", counts.sum("kudu_rpc_calls_received_total", label), Double::sum);
      sums.merge("sampled", counts.sum("kudu_rpc_calls_sampled_total", label), Double::sum);
      for (String span : SPANS) {
        double seconds =
            counts.sum(
                "kudu_rpc_span_seconds_total",
                label + ",service=\"kudu.tserver." + "TabletServerService\",span=\"" + span + "\"");
        sums.merge(span, seconds, Double::sum);
      }
    }
    return sums;
  }

  private Report report(Machine machine, List<Breakup> breakups) {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("model", model);
    settings.put("servers", servers);
    settings.put("operations", operations);
    List<String> columns = new ArrayList<>(List.of("operation", "total, µs"));
    columns.addAll(List.of(SPANS));
    columns.add(Breakup.REST);
    Table table = new Table("Mean time of an operation, and the share of each part", 1, columns);
    Chart chart =
        new Chart(
            Chart.Kind.BAR,
            "Mean time of the parts of an operation",
            "µs",
            "",
            breakups.stream().map(Breakup::title).toList());
    for (Breakup breakup : breakups) {
      List<String> row = new ArrayList<>();
      row.add(breakup.title());
      row.add(Table.number(breakup.totalMicros()));
      breakup.spans().values().forEach(micros -> row.add(share(micros, breakup)));
      row.add(share(breakup.restMicros(), breakup));
      table.row(row);
    }
    for (String span : SPANS) {
      chart.add(span, breakups.stream().mapToDouble(b -> b.spans().get(span)).toArray());
    }
    chart.add(Breakup.REST, breakups.stream().mapToDouble(Breakup::restMicros).toArray());
    return new Report("Break-up of calls", machine, settings)
        .table(table)
        .chart(chart)
        .data("breakups", breakups);
  }

  private static String share(double micros, Breakup breakup) {
    return String.format(
        Locale.ROOT, "%s (%.0f %%)", Table.number(micros), 100 * micros / breakup.totalMicros());
  }
}

package dev.kudu4j.benchmarks.txn;

import dev.kudu4j.benchmarks.cluster.Cluster;
import dev.kudu4j.benchmarks.cluster.ClusterSource;
import dev.kudu4j.benchmarks.cluster.Distribution;
import dev.kudu4j.benchmarks.cluster.StatusClient;
import dev.kudu4j.benchmarks.options.HomeOptions;
import dev.kudu4j.benchmarks.options.OutputOptions;
import dev.kudu4j.benchmarks.options.WorkDirectory;
import dev.kudu4j.benchmarks.report.Machine;
import dev.kudu4j.benchmarks.report.Report;
import dev.kudu4j.benchmarks.report.Table;
import dev.kudu4j.benchmarks.txn.TransactionTrial.Load;
import dev.kudu4j.client.KuduTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench txn}: commits a second, and the waits of plain writers beside them. */
@Command(
    name = "txn",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description = {
      "Starts three tablet servers and commits transactions that insert a few rows in each tablet"
          + " of a table with 1, 2 and 8 tablets: one client, then several. Then inserts row by"
          + " row without a transaction, alone and beside 20 commits a second.",
      "At the end kills the server that coordinates the transactions, and prints the longest time"
          + " without a commit, and the longest plain insert.",
      "Then does the same with the published Apache Kudu, with one client: its transactions lock"
          + " whole tablets. Both are measured with Kudu4j's client.",
      "Prints commits a second, and percentiles of the durations."
    })
public final class TransactionsCommand implements Callable<Integer> {
  private static final int TABLET_SERVERS = 3;
  private static final List<Integer> TABLETS = List.of(1, 2, 8);
  private static final int LAST_TABLETS = TABLETS.get(TABLETS.size() - 1);
  private static final int COMMITS_BESIDE = 20;
  private static final List<String> FLAGS =
      List.of("--memory_limit_hard_bytes=" + (1L << 30), "--txn_manager_enabled");

  @Mixin private OutputOptions output;
  @Mixin private HomeOptions home;
  @Mixin private WorkDirectory workDirectory;

  @Option(names = "--seconds", defaultValue = "10", description = "Duration of each load.")
  private double seconds;

  @Option(
      names = "--warm-up",
      defaultValue = "150",
      description =
          "Duration of the commits before the first load, a fifth of it on Apache Kudu's servers:"
              + " four new JVMs on two processors compile for minutes.")
  private double warmUp;

  @Option(
      names = "--clients",
      defaultValue = "8",
      description = "Number of clients that commit at the same time, on Kudu4j's servers.")
  private int clients;

  /** Milliseconds, by what had to wait. */
  private final Map<String, Double> pauses = new LinkedHashMap<>();

  @Override
  public Integer call() throws Exception {
    Machine machine = Machine.here();
    return workDirectory.run(
        directory -> {
          output.progress("Apache Kudu");
          Map<String, Load> published =
              measure(
                  home.published(),
                  directory.resolve("published"),
                  List.of("--enable_txn_system_client_init=true"),
                  false);
          output.progress("Kudu4j");
          Map<String, Load> ours = measure(home.ours(), directory.resolve("ours"), List.of(), true);
          output.publish(report(machine, ours, published));
          return 0;
        });
  }

  private Map<String, Load> measure(
      Distribution distribution, Path directory, List<String> moreFlags, boolean ours)
      throws Exception {
    List<String> flags = new ArrayList<>(FLAGS);
    flags.addAll(moreFlags);
    ClusterSource.Started source = new ClusterSource.Started(distribution, TABLET_SERVERS, flags);
    Map<String, Load> loads = new LinkedHashMap<>();
    try (StatusClient rpc = new StatusClient();
        Cluster cluster = source.open(directory, rpc);
        TransactionTrial trial = new TransactionTrial(cluster.masterAddresses(), TABLET_SERVERS)) {
      output.progress("warming up");
      trial.transactions(
          trial.table("warm-up", 2), 2, ours ? clients : 1, ours ? warmUp : warmUp / 5);
      KuduTable table = null;
      for (int tablets : TABLETS) {
        table = trial.table("txn-" + tablets, tablets);
        trial.transactions(table, tablets, 1, seconds / 2);
        output.progress(tablets + " tablets: one client");
        loads.put(oneClient(tablets), trial.transactions(table, tablets, 1, seconds));
        if (ours) {
          output.progress(tablets + " tablets: " + clients + " clients");
          loads.put(manyClients(tablets), trial.transactions(table, tablets, clients, seconds));
        }
        if (tablets == 2 && ours) {
          output.progress("plain writes");
          loads.put(plain(0), trial.plainWrites(table, tablets, 0, seconds));
          loads.put(
              plain(COMMITS_BESIDE), trial.plainWrites(table, tablets, COMMITS_BESIDE, seconds));
        }
      }
      if (ours) {
        output.progress("death of the coordinator");
        pauses.putAll(trial.deathOfTheCoordinator(cluster, table, LAST_TABLETS));
      }
    }
    return loads;
  }

  private static String oneClient(int tablets) {
    return "commits, " + tablets + (tablets == 1 ? " tablet" : " tablets") + ", one client";
  }

  private String manyClients(int tablets) {
    return oneClient(tablets).replace("one client", clients + " clients");
  }

  private static String plain(int commits) {
    return commits == 0
        ? "plain inserts, alone"
        : "plain inserts, beside " + commits + " commits/s";
  }

  private Report report(Machine machine, Map<String, Load> ours, Map<String, Load> published) {
    Table table =
        new Table(
            "",
            1,
            List.of(
                "load",
                "Kudu4j (1/s)",
                "Apache Kudu (1/s)",
                "ratio",
                "p50 (ms)",
                "p99 (ms)",
                "longest (ms)"));
    Map<String, Object> numbers = new LinkedHashMap<>();
    ours.forEach(
        (name, load) -> {
          Load other = published.get(name);
          table.row(
              name,
              Table.number(load.perSecond()),
              other == null ? "" : Table.number(other.perSecond()),
              other == null
                  ? ""
                  : String.format(Locale.ROOT, "%.2f", load.perSecond() / other.perSecond()),
              Table.number(load.millis(50)),
              Table.number(load.millis(99)),
              Table.number(load.millis(100)));
          numbers.put(
              name,
              Map.of(
                  "per_second",
                  load.perSecond(),
                  "published_per_second",
                  other == null ? 0 : other.perSecond(),
                  "p50_ms",
                  load.millis(50),
                  "p99_ms",
                  load.millis(99),
                  "longest_ms",
                  load.millis(100)));
        });
    Table death = new Table("Death of the coordinator", 1, List.of("longest", "ms"));
    pauses.forEach((what, millis) -> death.row(what, Table.number(millis)));
    return new Report(
            "Transactions",
            machine,
            Map.of("seconds", seconds, "warm-up", warmUp, "clients", clients))
        .table(table)
        .note("The percentiles are Kudu4j's.")
        .table(death)
        .data("pauses_ms", pauses)
        .data("figures", numbers);
  }
}

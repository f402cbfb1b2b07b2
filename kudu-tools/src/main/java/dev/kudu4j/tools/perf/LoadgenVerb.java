package dev.kudu4j.tools.perf;

import dev.kudu4j.client.AsyncKuduScanner.ReadMode;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tools.connection.ClusterCalls;
import dev.kudu4j.tools.connection.ClusterVerb;
import dev.kudu4j.tools.connection.Target;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes generated rows as fast as the cluster accepts them, and measures the time. */
@Command(
    name = "loadgen",
    description = {
      "Writes generated rows, as fast as the cluster accepts them, into an existing"
          + " table or one that it",
      "creates and drops again, and prints the time."
    },
    footer = {
      "  kudu perf loadgen",
      "  kudu perf loadgen 127.0.0.1:7051 --num_threads=4 --num_rows_per_thread=1000000 --run_scan",
      "  kudu perf loadgen --table_name=t3 --seq_start=10000 --use_random_non_pk --run_cleanup",
      "",
      "Exit code: 0 all rows were written; 1 a row was rejected, or the scan found"
          + " a different number of rows."
    })
final class LoadgenVerb extends ClusterVerb {
  @Parameters(
      paramLabel = "[MASTERS]",
      arity = "0..1",
      hideParamSyntax = true,
      description = Target.HELP)
  private List<String> arguments;

  @Option(
      names = "--table_name",
      paramLabel = "NAME",
      description = {
        "Writes to this table, with any columns, and keeps the table and its rows."
            + " Default: creates a table with three columns."
      })
  private String tableName = "";

  @Mixin private AutoTable autoTable;
  @Mixin private LoadgenOptions load;

  @Option(
      names = "--run_scan",
      description =
          "Counts the table's rows afterwards and compares the count with the number of"
              + " written rows.")
  private boolean scan;

  @Option(
      names = "--run_cleanup",
      description = "Deletes the rows at the end, with a second report.")
  private boolean cleanup;

  @Override
  public Integer call() throws IOException {
    load.check();
    autoTable.check();
    Target target = Target.of(arguments);
    try (ClusterCalls calls = cluster().connect(target.masters());
        KuduClient client = cluster().client(target.masters())) {
      if (tableName.isEmpty()) {
        useAutoTable(client);
      } else {
        calls.table(tableName);
        say("Using table '" + tableName + "'");
        run(client, tableName);
      }
    }
    return DONE;
  }

  private void useAutoTable(KuduClient client) throws IOException {
    String name = autoTable.create(client, load);
    say("Using auto-created table '" + name + "'");
    try {
      run(client, name);
    } catch (IOException | RuntimeException e) {
      err().println("Table '" + name + "' is kept, with the rows written so far");
      throw e;
    }
    if (!autoTable.keep) {
      say("");
      say("Dropping auto-created table '" + name + "'");
      client.deleteTable(name);
    }
  }

  private void run(KuduClient client, String name) throws IOException {
    KuduTable table = client.openTable(name);
    if (cleanup && table.getSchema().hasAutoIncrementingColumn()) {
      throw KuduException.invalidArgument(
          "--run_cleanup: the key of table %s has an auto-incrementing column, so the"
              + " keys of the written rows are unknown",
          name);
    }
    long written = write(client, table, load.upsert ? LoadOperation.UPSERT : LoadOperation.INSERT);
    if (scan) {
      verifyRowCount(client, table, written);
    }
    if (cleanup) {
      write(client, table, LoadOperation.DELETE);
    }
  }

  private long write(KuduClient client, KuduTable table, LoadOperation operation)
      throws IOException {
    LoadPhase phase = LoadPhase.run(client, table, operation, load);
    phase.report(out());
    phase.reportErrors(err());
    phase.demandSuccess();
    return phase.rows();
  }

  private void verifyRowCount(KuduClient client, KuduTable table, long expected)
      throws IOException {
    KuduScanner scanner =
        client
            .newScannerBuilder(table)
            .setProjectedColumnNames(List.of())
            .readMode(ReadMode.READ_YOUR_WRITES)
            .build();
    long actual = 0;
    try {
      while (scanner.hasMoreRows()) {
        actual += scanner.nextRows().getNumRows();
      }
    } finally {
      scanner.close();
    }
    say("");
    say("Scanner report");
    say("  expected rows: " + expected);
    say("  actual rows  : " + actual);
    if (actual != expected) {
      throw KuduException.illegalState(
          "The table has %d rows, but %d were written; possible reasons are rows that"
              + " existed before and repeated keys",
          actual, expected);
    }
  }
}

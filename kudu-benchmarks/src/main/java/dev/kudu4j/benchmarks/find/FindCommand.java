package dev.kudu4j.benchmarks.find;

import dev.kudu4j.benchmarks.cluster.ClusterSource;
import dev.kudu4j.benchmarks.cluster.StatusClient;
import dev.kudu4j.benchmarks.cluster.TargetCluster;
import dev.kudu4j.benchmarks.options.HomeOptions;
import dev.kudu4j.benchmarks.options.OutputOptions;
import dev.kudu4j.benchmarks.options.WorkDirectory;
import dev.kudu4j.benchmarks.report.Chart;
import dev.kudu4j.benchmarks.report.Machine;
import dev.kudu4j.benchmarks.report.Report;
import dev.kudu4j.benchmarks.report.Samples;
import dev.kudu4j.benchmarks.report.Table;
import dev.kudu4j.benchmarks.selection.OurSelections;
import dev.kudu4j.benchmarks.selection.Selection;
import dev.kudu4j.client.KuduIndex;
import dev.kudu4j.client.KuduIndexHint;
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

/** {@code bench find}: the files that were modified in the last minute. */
@Command(
    name = "find",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description = {
      "Loads a table of files (path, time of modification, size, owner) with a local index on the"
          + " time, and asks for the paths that were modified in the last minute: as the servers"
          + " choose, with the index, and without it.",
      "Then creates a tree of empty files of the same kind, and searches it with the program find."
          + " The tree is smaller than the table: its time is also printed for as many files as the"
          + " table has rows, in proportion. The kernel has the tree in memory, so a search of a"
          + " real disk takes longer."
    })
public final class FindCommand implements Callable<Integer> {
  private static final KuduIndex BY_TIME = KuduIndex.local("by_mtime", FileRows.MODIFIED);
  private static final int LEAST_RUNS = 3;

  @Mixin private OutputOptions output;
  @Mixin private HomeOptions home;
  @Mixin private WorkDirectory workDirectory;

  @Option(names = "--rows", defaultValue = "10000000", description = "Rows of the table.")
  private long rows;

  @Option(names = "--files", defaultValue = "100000", description = "Files of the tree.")
  private long files;

  @Option(names = "--tablets", defaultValue = "4", description = "Tablets of the table.")
  private int tablets;

  @Option(
      names = "--seconds",
      defaultValue = "5",
      description = "Duration of each measurement, at least three searches.")
  private double seconds;

  @Option(
      names = "--memory-limit-mb",
      defaultValue = "3072",
      description = "--memory_limit_hard_bytes of each server, in MB.")
  private int memoryLimitMegabytes;

  /**
   * One way to search.
   *
   * @param files number of rows or files that are searched
   * @param millis durations
   */
  private record Search(String title, long files, double[] millis) {
    double median() {
      return Samples.median(millis);
    }

    /** The duration for another number of files, in proportion. */
    double medianOf(long count) {
      return median() * count / files;
    }
  }

  private interface Way {
    /** Searches, and returns the number of files found. */
    long search() throws Exception;
  }

  @Override
  public Integer call() throws Exception {
    Machine machine = Machine.here();
    FileRows table = new FileRows(rows);
    FileRows tree = new FileRows(files);
    return workDirectory.run(
        directory -> {
          List<Search> searches = new ArrayList<>(inTable(directory, table));
          searches.add(inTree(directory, tree));
          output.publish(report(machine, searches));
          return 0;
        });
  }

  @SuppressWarnings("try") // close() may be interrupted, which ends the process
  private List<Search> inTable(Path directory, FileRows table) throws Exception {
    ClusterSource source =
        new ClusterSource.Started(
            home.ours(),
            1,
            List.of("--memory_limit_hard_bytes=" + ((long) memoryLimitMegabytes << 20)));
    try (StatusClient rpc = new StatusClient();
        TargetCluster cluster = source.open(directory.resolve("servers"), rpc);
        OurSelections selections =
            new OurSelections(cluster.masterAddresses(), table, tablets, List.of(BY_TIME))) {
      output.progress("loading");
      selections.load(2);
      cluster.flush();
      selections.awaitIndex(BY_TIME, FileRows.lastMinute());
      cluster.awaitIdle();
      Selection recent = Selection.and(List.of(FileRows.PATH), FileRows.lastMinute());
      return List.of(
          search("table, as the servers choose", selections, recent, KuduIndexHint.optimizer()),
          search("table, index", selections, recent, KuduIndexHint.force(BY_TIME.getName())),
          search("table, scan", selections, recent, KuduIndexHint.forbid()));
    }
  }

  private Search search(
      String title, OurSelections selections, Selection recent, KuduIndexHint hint)
      throws Exception {
    return search(title, rows, () -> selections.answer(recent, hint).rows());
  }

  private Search inTree(Path directory, FileRows rows) throws Exception {
    output.progress("creating a tree of files");
    try (FileTree tree = FileTree.create(directory.resolve("tree"), rows)) {
      return search("tree, find", files, tree::find);
    }
  }

  /** The first search is not counted: it finds nothing in caches. */
  private Search search(String title, long count, Way way) throws Exception {
    output.progress(title);
    check(title, way.search());
    List<Double> millis = new ArrayList<>();
    long end = System.nanoTime() + (long) (seconds * 1e9);
    while (millis.size() < LEAST_RUNS || System.nanoTime() - end < 0) {
      long started = System.nanoTime();
      long found = way.search();
      millis.add((System.nanoTime() - started) / 1e6);
      check(title, found);
    }
    return new Search(title, count, millis.stream().mapToDouble(Double::doubleValue).toArray());
  }

  private static void check(String title, long found) {
    if (found != FileRows.RECENT) {
      throw new IllegalStateException(
          title + ": found " + found + " files instead of " + FileRows.RECENT);
    }
  }

  private Report report(Machine machine, List<Search> searches) {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("rows", rows);
    settings.put("files", files);
    settings.put("tablets", tablets);
    settings.put("seconds", seconds);
    settings.put("memory_limit_mb", memoryLimitMegabytes);
    double find = searches.get(searches.size() - 1).medianOf(rows);
    Table table =
        new Table(
            "",
            1,
            List.of(
                "search",
                "files",
                "p50 (ms)",
                "p99 (ms)",
                String.format(Locale.ROOT, "p50 for %,d files (ms)", rows),
                "times as fast as find"));
    List<Map<String, Object>> numbers = new ArrayList<>();
    for (Search search : searches) {
      table.row(
          search.title,
          String.format(Locale.ROOT, "%,d", search.files),
          Table.number(search.median()),
          Table.number(Samples.percentile(search.millis, 99)),
          Table.number(search.medianOf(rows)),
          Table.number(find / search.medianOf(rows)));
      numbers.add(
          Map.of(
              "search",
              search.title,
              "files",
              search.files,
              "p50_ms",
              search.median(),
              "p50_of_rows_ms",
              search.medianOf(rows)));
    }
    return new Report("Files of the last minute", machine, settings)
        .table(table)
        .note(
            String.format(
                Locale.ROOT,
                "find was measured on %,d files; its time for %,d is extrapolated in proportion.",
                files,
                rows))
        .data("searches", numbers)
        .chart(chart(searches));
  }

  private Chart chart(List<Search> searches) {
    return new Chart(
            Chart.Kind.BAR,
            "Median duration for as many files as rows",
            "ms",
            "",
            searches.stream().map(Search::title).toList())
        .add("p50", searches.stream().mapToDouble(search -> search.medianOf(rows)).toArray());
  }
}

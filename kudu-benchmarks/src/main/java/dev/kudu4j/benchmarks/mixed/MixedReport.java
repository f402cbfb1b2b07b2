package dev.kudu4j.benchmarks.mixed;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kudu4j.benchmarks.mixed.Verdicts.Verdict;
import dev.kudu4j.benchmarks.report.Chart;
import dev.kudu4j.benchmarks.report.Machine;
import dev.kudu4j.benchmarks.report.Report;
import dev.kudu4j.benchmarks.report.Table;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** The report of a mixed run: verdicts, percentiles of the calls, and charts over time. */
public final class MixedReport {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final double MEBIBYTE = 1 << 20;

  private final Settings settings;
  private final List<Second> seconds;
  private final Verdicts verdicts;

  MixedReport(Settings settings, List<Second> seconds) {
    this.settings = settings;
    this.seconds = List.copyOf(seconds);
    this.verdicts = new Verdicts(this.seconds, settings.memoryLimitBytes());
  }

  /**
   * The failed verdicts. Those that depend on the load of the machine are included only if {@code
   * withTimings} is set.
   */
  public List<String> failures(boolean withTimings) {
    return verdicts.all().stream()
        .filter(verdict -> !verdict.isYes() && (withTimings || !verdict.depends()))
        .map(verdict -> verdict.question() + ": " + verdict.figure())
        .toList();
  }

  Report toReport(Machine machine) {
    Report report =
        new Report("Mixed load", machine, settings.toMap())
            .table(verdictTable())
            .table(callTable())
            .note(summary())
            .data("verdicts", verdicts.all())
            .data("seconds", seconds.stream().map(MixedReport::toJson).toList());
    addCharts(report);
    return report;
  }

  private Table verdictTable() {
    Table table = new Table("", 3, List.of("verdict", "figure", ""));
    for (Verdict verdict : verdicts.all()) {
      table.row(verdict.question(), verdict.figure(), verdict.isYes() ? "yes" : "no");
    }
    return table;
  }

  private Table callTable() {
    Table table =
        new Table(
            "",
            1,
            List.of(
                "call",
                "p50, ms",
                "p99, ms",
                "p99, ms, 20 to 60 % of the time",
                "from 60 % on",
                "calls"));
    addCalls(table, "write of " + Settings.ROWS_OF_WRITE + " inserts", Second::insertNanos);
    addCalls(table, "write of " + Settings.ROWS_OF_WRITE + " updates", Second::updateNanos);
    addCalls(table, "look-up", Second::lookUpNanos);
    addCalls(table, "scan of " + Settings.ROWS_OF_SCAN + " rows", Second::scanNanos);
    return table;
  }

  private void addCalls(Table table, String name, Function<Second, long[]> nanos) {
    long calls = seconds.stream().mapToLong(second -> nanos.apply(second).length).sum();
    table.row(
        name,
        Table.number(Verdicts.percentile(seconds, nanos, 50)),
        Table.number(Verdicts.percentile(seconds, nanos, 99)),
        Table.number(Verdicts.percentile(verdicts.before(), nanos, 99)),
        Table.number(Verdicts.percentile(verdicts.after(), nanos, 99)),
        String.format(Locale.ROOT, "%,d", calls));
  }

  private String summary() {
    Second last = seconds.get(seconds.size() - 1);
    return String.format(
        Locale.ROOT,
        "%,d rows at the end, %.0f MiB on disk in %d rowsets; %d pauses of the collector, %.1f ms"
            + " each; %d writes rejected for lack of memory and retried",
        last.rows(),
        last.diskBytes() / MEBIBYTE,
        last.rowSets(),
        last.pauses(),
        last.pauseMillis() / Math.max(1, last.pauses()),
        last.refusedWrites());
  }

  private void addCharts(Report report) {
    Chart memory = chart(report, "Memory", "MiB");
    add(memory, "resident", s -> s.residentBytes() / MEBIBYTE);
    add(memory, "heap, with garbage", s -> s.heapBytes() / MEBIBYTE);
    add(memory, "data", s -> s.dataBytes() / MEBIBYTE);
    add(memory, "page cache", s -> s.pageCacheBytes() / MEBIBYTE);
    Chart direct = chart(report, "Direct memory of the network and the log", "MiB");
    add(direct, "direct", s -> s.directBytes() / MEBIBYTE);
    addCalls(report, "Look-ups", Second::lookUpNanos);
    addCalls(report, "Scans of " + Settings.ROWS_OF_SCAN + " rows", Second::scanNanos);
    addCalls(report, "Writes of " + Settings.ROWS_OF_WRITE + " rows", Second::writeNanos);
    add(chart(report, "Collector, since the start", "ms of pauses"), "pauses", Second::pauseMillis);
    Chart shape =
        chart(report, "Rowset height of the tallest tablet, and delta files of a rowset", "");
    add(shape, "height", Second::height);
    add(shape, "delta files a rowset", Second::deltaFilesPerRowSet);
    Chart files = chart(report, "Files", "");
    add(files, "rowsets", Second::rowSets);
    add(files, "delta files", Second::deltaFiles);
    add(chart(report, "Rows", "millions"), "rows", s -> s.rows() / 1e6);
  }

  private void addCalls(Report report, String title, Function<Second, long[]> nanos) {
    Chart chart = chart(report, title, "ms");
    add(chart, "p50", second -> Second.percentileMillis(nanos.apply(second), 50));
    add(chart, "p99", second -> Second.percentileMillis(nanos.apply(second), 99));
  }

  private Chart chart(Report report, String title, String unit) {
    List<String> labels =
        seconds.stream().map(second -> String.valueOf(Math.round(second.seconds()))).toList();
    Chart chart = new Chart(Chart.Kind.LINE, title, unit, "seconds", labels);
    report.chart(chart);
    return chart;
  }

  private void add(Chart chart, String name, ToDoubleFunction<Second> value) {
    chart.add(name, seconds.stream().mapToDouble(value).toArray());
  }

  /** Converts a sample to JSON, with percentiles in place of each list of durations. */
  private static ObjectNode toJson(Second second) {
    ObjectNode node = MAPPER.valueToTree(second);
    putPercentiles(node, "insertNanos", "insert", second.insertNanos());
    putPercentiles(node, "updateNanos", "update", second.updateNanos());
    putPercentiles(node, "lookUpNanos", "look_up", second.lookUpNanos());
    putPercentiles(node, "scanNanos", "scan", second.scanNanos());
    return node;
  }

  private static void putPercentiles(ObjectNode node, String all, String name, long[] nanos) {
    node.remove(all);
    node.put(name + "_calls", nanos.length);
    if (nanos.length > 0) {
      node.put(name + "_p50_ms", Second.percentileMillis(nanos, 50));
      node.put(name + "_p99_ms", Second.percentileMillis(nanos, 99));
    }
  }
}

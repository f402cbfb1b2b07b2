package dev.kudu4j.benchmarks.mixed;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kudu4j.benchmarks.mixed.Verdicts.Verdict;
import dev.kudu4j.benchmarks.report.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;

/** The report of a mixed run for people and programs: verdicts, figures, plots, all samples. */
public final class MixedReport {
  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
  private static final double MEBIBYTE = 1 << 20;

  private final Settings settings;
  private final List<Second> seconds;
  private final Verdicts verdicts;

  MixedReport(Settings settings, List<Second> seconds) {
    this.settings = settings;
    this.seconds = List.copyOf(seconds);
    this.verdicts = new Verdicts(this.seconds, settings.memoryLimitBytes());
  }

  /** The failed verdicts, optionally without those that depend on the load of the machine. */
  public List<String> failures(boolean withTimings) {
    return verdicts.all().stream()
        .filter(verdict -> !verdict.isYes() && (withTimings || !verdict.depends()))
        .map(verdict -> verdict.question() + ": " + verdict.figure())
        .toList();
  }

  String toMarkdown() {
    StringBuilder text = new StringBuilder("| verdict | figure | |\n| --- | --- | --- |\n");
    for (Verdict verdict : verdicts.all()) {
      text.append("| " + verdict.question() + " | " + verdict.figure() + " | ");
      text.append(verdict.isYes() ? "yes" : "no").append(" |\n");
    }
    text.append(
        "\n"
            + "| call | p50, ms | p99, ms | p99, ms, 20 to 60 % of the time | from 60 % on |"
            + " calls |\n");
    text.append("| --- | ---: | ---: | ---: | ---: | ---: |\n");
    appendCalls(text, "write of " + Settings.ROWS_OF_WRITE + " inserts", Second::insertNanos);
    appendCalls(text, "write of " + Settings.ROWS_OF_WRITE + " updates", Second::updateNanos);
    appendCalls(text, "look-up", Second::lookUpNanos);
    appendCalls(text, "scan of " + Settings.ROWS_OF_SCAN + " rows", Second::scanNanos);
    Second last = seconds.get(seconds.size() - 1);
    text.append(
        String.format(
            "%n%,d rows at the end, %.0f MiB on disk in %d rowsets; %d pauses of the collector,"
                + " %.1f ms each; %d writes refused for want of memory and tried again%n",
            last.rows(),
            last.diskBytes() / MEBIBYTE,
            last.rowSets(),
            last.pauses(),
            last.pauseMillis() / Math.max(1, last.pauses()),
            last.refusedWrites()));
    return text.toString();
  }

  private void appendCalls(StringBuilder text, String name, Function<Second, long[]> nanos) {
    long calls = seconds.stream().mapToLong(second -> nanos.apply(second).length).sum();
    text.append(
        String.format(
            "| %s | %s | %s | %s | %s | %,d |%n",
            name,
            Verdicts.number(Verdicts.percentile(seconds, nanos, 50)),
            Verdicts.number(Verdicts.percentile(seconds, nanos, 99)),
            Verdicts.number(Verdicts.percentile(verdicts.before(), nanos, 99)),
            Verdicts.number(Verdicts.percentile(verdicts.after(), nanos, 99)),
            calls));
  }

  private List<Plot> plots() {
    return List.of(
        new Plot("Memory", "MiB")
            .line("resident", s -> s.residentBytes() / MEBIBYTE)
            .line("heap, with garbage", s -> s.heapBytes() / MEBIBYTE)
            .line("data", s -> s.dataBytes() / MEBIBYTE)
            .line("page cache", s -> s.pageCacheBytes() / MEBIBYTE),
        new Plot("Direct memory of the network and the log", "MiB")
            .line("direct", s -> s.directBytes() / MEBIBYTE),
        new Plot("Look-ups", "ms")
            .line("p50", s -> Second.percentileMillis(s.lookUpNanos(), 50))
            .line("p99", s -> Second.percentileMillis(s.lookUpNanos(), 99)),
        new Plot("Scans of " + Settings.ROWS_OF_SCAN + " rows", "ms")
            .line("p50", s -> Second.percentileMillis(s.scanNanos(), 50))
            .line("p99", s -> Second.percentileMillis(s.scanNanos(), 99)),
        new Plot("Writes of " + Settings.ROWS_OF_WRITE + " rows", "ms")
            .line("p50", s -> Second.percentileMillis(s.writeNanos(), 50))
            .line("p99", s -> Second.percentileMillis(s.writeNanos(), 99)),
        new Plot("Collector, since the start", "ms of pauses").line("pauses", Second::pauseMillis),
        new Plot("Rowset height of the tallest tablet, and delta files of a rowset", "")
            .line("height", Second::height)
            .line("delta files a rowset", Second::deltaFilesPerRowSet),
        new Plot("Files", "")
            .line("rowsets", Second::rowSets)
            .line("delta files", Second::deltaFiles),
        new Plot("Rows", "millions").line("rows", s -> s.rows() / 1e6));
  }

  void writeHtml(Path file, Machine machine) throws IOException {
    StringBuilder html = new StringBuilder();
    html.append("<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">")
        .append("<title>Mixed load</title><style>body{font-family:sans-serif;margin:2em;")
        .append("max-width:960px}td,th{padding:2px 12px 2px 0;text-align:left}</style></head>")
        .append("<body><h1>Mixed load</h1><p>")
        .append(escape(machine.toString()))
        .append("</p><p>")
        .append(escape(settings.toMap().toString()))
        .append("</p><table>\n");
    for (Verdict verdict : verdicts.all()) {
      html.append("<tr><td>" + verdict.question() + "</td><td>" + verdict.figure() + "</td><td>");
      html.append(verdict.isYes() ? "yes" : "<b>no</b>").append("</td></tr>\n");
    }
    html.append("</table>\n");
    plots().forEach(plot -> html.append(plot.toHtml(seconds)));
    Files.writeString(file, html.append("</body></html>\n"));
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;");
  }

  void writeJson(Path file, Machine machine) throws IOException {
    ObjectNode json = MAPPER.createObjectNode();
    json.set("machine", MAPPER.valueToTree(machine));
    json.set("settings", MAPPER.valueToTree(settings.toMap()));
    json.set("verdicts", MAPPER.valueToTree(verdicts.all()));
    ArrayNode all = json.putArray("seconds");
    for (Second second : seconds) {
      all.add(toJson(second));
    }
    MAPPER.writeValue(file.toFile(), json);
  }

  /** Replaces each call list by percentiles. */
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

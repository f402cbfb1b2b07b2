package dev.kudu4j.benchmarks.selection;

import dev.kudu4j.benchmarks.report.Report;
import dev.kudu4j.benchmarks.report.Table;
import dev.kudu4j.client.KuduIndex;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The times in which indexes of existing rows were built, and the sizes of their files. */
public final class IndexBuilds {
  private static final double MEGABYTE = 1e6;

  private record Build(String indexes, double seconds, double bytes, double tableBytes) {}

  private final List<Build> builds = new ArrayList<>();

  /**
   * @param bytes size of the indexes' files; NaN if unknown
   * @param tableBytes size of the table without indexes; NaN if unknown
   */
  void add(List<KuduIndex> indexes, double seconds, double bytes, double tableBytes) {
    builds.add(new Build(names(indexes), seconds, bytes, tableBytes));
  }

  static String names(List<KuduIndex> indexes) {
    return indexes.stream().map(KuduIndex::getName).collect(Collectors.joining(", "));
  }

  public void addTo(Report report) {
    Table table =
        new Table("Indexes of the loaded rows", 1, List.of("built", "s", "MB", "of the table"));
    List<Map<String, Object>> data = new ArrayList<>();
    for (Build build : builds) {
      table.row(
          build.indexes,
          Table.number(build.seconds),
          Table.number(build.bytes / MEGABYTE),
          Table.number(build.bytes / build.tableBytes));
      Map<String, Object> numbers = new LinkedHashMap<>();
      numbers.put("indexes", build.indexes);
      numbers.put("seconds", build.seconds);
      numbers.put("bytes", build.bytes);
      numbers.put("table_bytes", build.tableBytes);
      data.add(numbers);
    }
    report.table(table).data("builds", data);
  }
}

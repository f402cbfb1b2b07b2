package dev.kudu4j.benchmarks.selection;

import dev.kudu4j.benchmarks.report.BaselinesTable;
import dev.kudu4j.benchmarks.report.Chart;
import dev.kudu4j.benchmarks.report.Figure;
import dev.kudu4j.benchmarks.report.Measurements;
import dev.kudu4j.benchmarks.report.Report;
import dev.kudu4j.benchmarks.report.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The tables and charts of a {@link SelectionRun}. */
public final class SelectionReport {
  private final List<SelectionQuery> queries;
  private final SelectionRun run;
  private final Measurements<Plan> measurements;
  private final long tableRows;

  /**
   * @param tableRows number of rows of the table
   */
  public SelectionReport(
      List<SelectionQuery> queries,
      SelectionRun run,
      Measurements<Plan> measurements,
      long tableRows) {
    this.queries = List.copyOf(queries);
    this.run = run;
    this.measurements = measurements;
    this.tableRows = tableRows;
  }

  public void addTo(Report report) {
    addTo(report, "");
  }

  /**
   * @param prefix of the names in the JSON, if the report has several of these
   */
  public void addTo(Report report, String prefix) {
    BaselinesTable<Plan> tables = new BaselinesTable<>(measurements, Plan::title);
    report.table(results());
    report.table(tables.table("Time of a query", figure -> !isCpu(figure)));
    if (measurements.figures().stream().anyMatch(SelectionReport::isCpu)) {
      report.table(tables.table("Processor time of the servers", SelectionReport::isCpu));
    }
    report.table(tables.summary(figure -> !isCpu(figure)));
    report.note(
        "Ratios below 1 are in favour of the servers' choice. All plans had the same answers.");
    Set<String> groups = new LinkedHashSet<>();
    queries.forEach(query -> groups.add(query.group()));
    for (String group : groups) {
      List<SelectionQuery> points =
          queries.stream().filter(query -> query.group().equals(group)).toList();
      report.chart(timeChart(group, points));
      report.chart(speedChart(group, points));
    }
    report.data(prefix + "queries", tables.numbers()).data(prefix + "results", resultNumbers());
  }

  private static boolean isCpu(Figure figure) {
    return ((SelectionQuery.SelectionFigure) figure).isCpu();
  }

  private Table results() {
    Table table =
        new Table("Results", 2, List.of("query", "the first selection", "rows", "% of the table"));
    for (SelectionQuery query : queries) {
      table.row(
          query.title(),
          query.variants().get(0).toString(),
          Table.number(run.rows(query)),
          Table.number(100 * run.rows(query) / tableRows));
    }
    return table;
  }

  private List<Map<String, Object>> resultNumbers() {
    List<Map<String, Object>> data = new ArrayList<>();
    for (SelectionQuery query : queries) {
      Map<String, Object> numbers = new LinkedHashMap<>();
      numbers.put("query", query.title());
      numbers.put("first_selection", query.variants().get(0).toString());
      numbers.put("rows", run.rows(query));
      numbers.put("share", run.rows(query) / tableRows);
      data.add(numbers);
    }
    return data;
  }

  private Chart timeChart(String group, List<SelectionQuery> points) {
    Chart chart = chart(group + ": time", "ms", points);
    for (Plan plan : measurements.sides()) {
      chart.add(
          plan.title(),
          points.stream().mapToDouble(query -> measurements.median(plan, query.time())).toArray());
    }
    return chart;
  }

  private Chart speedChart(String group, List<SelectionQuery> points) {
    Chart chart = chart(group + ": how many times as fast as without index", "ratio", points);
    for (Plan plan : measurements.sides()) {
      if (plan != Plan.NONE) {
        chart.add(plan.title(), points.stream().mapToDouble(q -> speed(plan, q)).toArray());
      }
    }
    return chart;
  }

  /** How many times as fast a plan answers the query as a scan without index. */
  public double speed(Plan plan, SelectionQuery query) {
    return speed(plan, Plan.NONE, query);
  }

  /** How many times as fast a plan answers the query as another one; NaN if one did not run. */
  public double speed(Plan plan, Plan other, SelectionQuery query) {
    return measurements.ratio(other, plan, query.time()).orElse(Double.NaN);
  }

  private static Chart chart(String title, String unit, List<SelectionQuery> points) {
    return new Chart(
        Chart.Kind.BAR, title, unit, "", points.stream().map(SelectionQuery::point).toList());
  }
}

package dev.kudu4j.benchmarks.tpch;

import dev.kudu4j.benchmarks.report.BaselinesTable;
import dev.kudu4j.benchmarks.report.Machine;
import dev.kudu4j.benchmarks.report.Measurements;
import dev.kudu4j.benchmarks.report.Report;
import java.util.Map;

/** The report: times of the queries, their ratios, loads and sizes. */
final class TpchReport {
  private TpchReport() {}

  static Report of(
      Measurements<Storage> measurements, Machine machine, Map<String, Object> settings) {
    BaselinesTable<Storage> tables = new BaselinesTable<>(measurements, Storage::title);
    Report report = new Report("TPC-H on Spark", machine, settings);
    report.table(tables.table("Queries", TpchFigure::isQuery));
    report.table(tables.summary(TpchFigure::isQuery));
    report.table(tables.table("Tables", figure -> !TpchFigure.isQuery(figure)));
    report.note(
        "Ratios below 1 are in favour of Kudu4j. All answers were equal. Parquet's load includes"
            + " the generator; Kudu4j's reads the Parquet files.");
    report.chart(tables.chart("Queries: median of the rounds", TpchFigure::isQuery));
    report.chart(tables.ratioChart("Ratio to Parquet; below 1 is faster", TpchFigure::isQuery));
    return report.data("figures", tables.numbers());
  }
}

package dev.kudu4j.benchmarks.ycsb;

import dev.kudu4j.benchmarks.report.Figure;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A figure of the YCSB comparison.
 *
 * @param phase name of the phase: the load, or a workload with its distribution
 * @param kind kind of operations; empty for a statistic of the whole phase
 */
record YcsbFigure(String phase, Optional<OperationKind> kind, Statistic statistic)
    implements Figure {
  static final String LOAD = "load";

  /** Statistics of the phase, or of its operations of one kind. */
  enum Statistic {
    THROUGHPUT("throughput", "ops/s", Double.NaN),
    SERVER_CPU("server CPU", "µs/op", Double.NaN),
    CLIENT_CPU("client CPU", "µs/op", Double.NaN),
    P50("p50", "ms", 50),
    P95("p95", "ms", 95),
    P99("p99", "ms", 99),
    P99_9("p99.9", "ms", 99.9);

    private final String title;
    private final String unit;
    private final double percentile;

    Statistic(String title, String unit, double percentile) {
      this.title = title;
      this.unit = unit;
      this.percentile = percentile;
    }

    boolean isPercentile() {
      return !Double.isNaN(percentile);
    }

    String title() {
      return title;
    }

    String unit() {
      return unit;
    }

    double percentile() {
      return percentile;
    }
  }

  static YcsbFigure of(String phase, Statistic statistic) {
    return new YcsbFigure(phase, Optional.empty(), statistic);
  }

  static YcsbFigure of(String phase, OperationKind kind, Statistic statistic) {
    return new YcsbFigure(phase, Optional.of(kind), statistic);
  }

  static String phase(StandardWorkload workload, RequestDistribution distribution) {
    return workload + " " + distribution.word();
  }

  /** All figures of a phase, in the order of the table. */
  static List<YcsbFigure> all(String phase, List<OperationKind> kinds) {
    List<YcsbFigure> figures = new ArrayList<>();
    for (Statistic statistic : Statistic.values()) {
      if (!statistic.isPercentile()) {
        figures.add(of(phase, statistic));
      }
    }
    for (OperationKind kind : kinds) {
      for (Statistic statistic : Statistic.values()) {
        if (statistic.isPercentile()) {
          figures.add(of(phase, kind, statistic));
        }
      }
    }
    return figures;
  }

  @Override
  public String key() {
    String words = phase + kind.map(k -> " " + k.name()).orElse("") + " " + statistic.name();
    return words.toLowerCase(Locale.ROOT).replace(' ', '_');
  }

  @Override
  public String title() {
    return phase + ", " + kind.map(k -> k.title() + " ").orElse("") + statistic.title;
  }

  @Override
  public String unit() {
    return statistic.unit;
  }

  @Override
  public boolean moreIsBetter() {
    return statistic == Statistic.THROUGHPUT;
  }
}

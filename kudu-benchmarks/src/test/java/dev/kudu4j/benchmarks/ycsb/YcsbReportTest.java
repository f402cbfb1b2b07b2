package dev.kudu4j.benchmarks.ycsb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.benchmarks.report.Machine;
import dev.kudu4j.benchmarks.report.Measurements;
import dev.kudu4j.benchmarks.report.Report;
import dev.kudu4j.benchmarks.report.Side;
import dev.kudu4j.benchmarks.ycsb.YcsbFigure.Statistic;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class YcsbReportTest {
  private static final String PHASE =
      YcsbFigure.phase(StandardWorkload.A, RequestDistribution.ZIPFIAN);

  @Test
  void throughputComesFirstAndThenEachPhase() {
    Measurements<Side> measurements =
        Measurements.ofSides(YcsbFigure.all(PHASE, StandardWorkload.A.kinds()));
    YcsbFigure throughput = YcsbFigure.of(PHASE, Statistic.THROUGHPUT);
    YcsbFigure p999 = YcsbFigure.of(PHASE, OperationKind.READ, Statistic.P99_9);
    measurements.add(Side.OURS, throughput, 3_000);
    measurements.add(Side.PUBLISHED, throughput, 2_000);
    measurements.add(Side.OURS, p999, 1.5);
    measurements.add(Side.PUBLISHED, p999, 1);
    YcsbSettings settings =
        new YcsbSettings(
            List.of(StandardWorkload.A),
            List.of(RequestDistribution.ZIPFIAN),
            1,
            1,
            1,
            1,
            1,
            1,
            1,
            1,
            1,
            0,
            Map.of());
    Report report = new Report("YCSB", Machine.here(), settings.toMap());
    assertThat(new YcsbReport(settings, measurements, Side::title).addTo(report).toMarkdown())
        .startsWith(
            """
            **Throughput**

            | figure | unit | Kudu4j | ratio | Apache Kudu |
            | --- | --- | ---: | ---: | ---: |
            | A zipfian, throughput | ops/s | 3,000 | 1.50 better | 2,000 |
            """)
        .endsWith(
            """
            **A, zipfian: half reads, half updates**

            | figure | unit | Kudu4j | ratio | Apache Kudu |
            | --- | --- | ---: | ---: | ---: |
            | A zipfian, throughput | ops/s | 3,000 | 1.50 better | 2,000 |
            | A zipfian, read p99.9 | ms | 1.50 | 1.50 worse | 1.00 |
            """);
  }

  @Test
  void keysAreWords() {
    assertThat(YcsbFigure.of(PHASE, OperationKind.READ_MODIFY_WRITE, Statistic.P99_9).key())
        .isEqualTo("a_zipfian_read_modify_write_p99_9");
  }
}

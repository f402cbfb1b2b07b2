package dev.kudu4j.spark.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.Type;
import dev.kudu4j.client.KuduColumnStatistics;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Extrapolates a column of a table that had 1000 rows when it was analyzed. */
class ExtrapolationTest {
  private static final ColumnSchema COLUMN =
      new ColumnSchemaBuilder("c", Type.INT32).nullable(true).build();

  private static KuduColumnStatistics analyzed(long rows, long nulls, long distinct) {
    return new KuduColumnStatistics(
        Instant.EPOCH,
        rows,
        nulls,
        distinct,
        Optional.of(-3),
        Optional.of(400),
        OptionalLong.empty(),
        OptionalLong.empty());
  }

  private static ColumnAnalysis of(long distinct, long rows) {
    return Extrapolation.of(COLUMN, analyzed(1000, 100, distinct), rows).orElseThrow();
  }

  @Test
  void anUnchangedTableKeepsItsStatistics() {
    for (long rows : new long[] {1000, 0}) {
      ColumnAnalysis same = of(50, rows);
      assertThat(same.distinctCount()).hasValue(50);
      assertThat(same.nullCount()).hasValue(100);
      assertThat(same.min()).contains(-3);
      assertThat(same.max()).contains(400);
    }
  }

  @Test
  void nullsKeepTheirShare() {
    assertThat(of(50, 1500).nullCount()).hasValue(150);
    assertThat(of(50, 500).nullCount()).hasValue(50);
  }

  @Test
  void onlyManyValuesGrowWithTheTable() {
    assertThat(of(50, 1800).distinctCount()).hasValue(50);
    assertThat(of(900, 1800).distinctCount()).hasValue(1620);
    assertThat(of(50, 110).distinctCount()).as("few rows are left").hasValue(50);
    assertThat(of(80, 100).distinctCount()).as("not above the values").hasValue(80);
    assertThat(of(100, 101).distinctCount()).as("not above the values").hasValue(91);
  }

  @Test
  void extremesAreDroppedWhenTheTableHasDoubled() {
    assertThat(of(50, 2000).max()).contains(400);
    assertThat(of(50, 2001).max()).isEmpty();
    assertThat(of(50, 2001).min()).isEmpty();
    assertThat(of(50, 499).max()).isEmpty();
    assertThat(of(50, 2001).distinctCount()).hasValue(50);
  }

  @Test
  void statisticsAreDroppedAtTenTimesTheRows() {
    assertThat(Extrapolation.of(COLUMN, analyzed(1000, 0, 50), 10_001)).isEmpty();
    assertThat(Extrapolation.of(COLUMN, analyzed(1000, 0, 50), 99)).isEmpty();
    assertThat(Extrapolation.of(COLUMN, analyzed(0, 0, 0), 11)).isEmpty();
  }
}

package dev.kudu4j.tserver.scan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.expression.TopN;
import dev.kudu4j.common.predicate.ColumnPredicate;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ScanTextTest {
  private final ColumnSchema key =
      ColumnSchema.builder("user", DataType.STRING).key(true).id(0).build();
  private final Schema table = new Schema(List.of(key));

  private static byte[] cell(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static ScanTrace.Query query(
      Schema projection, List<ColumnPredicate> predicates, byte[] lower, byte[] upper) {
    return new ScanTrace.Query(
        "SELECT", "t", projection, predicates, null, null, null, lower, upper, 0, true, 7, 1);
  }

  @Test
  void aScanReadsLikeSql() {
    List<ColumnPredicate> predicates = List.of(new ColumnPredicate.Equality(key, cell("eve")));
    assertThat(new ScanText(false).of(query(table, predicates, cell("adam"), cell("noah")), table))
        .isEqualTo(
            "SELECT user FROM t WHERE PRIMARY KEY >= (\"adam\") AND PRIMARY KEY < (\"noah\")"
                + " AND user = \"eve\" ORDER BY PRIMARY KEY LIMIT 7");
    assertThat(new ScanText(false).of(query(new Schema(List.of()), List.of(), null, null), table))
        .isEqualTo("SELECT COUNT(*) FROM t ORDER BY PRIMARY KEY LIMIT 7");
  }

  @Test
  void givenKeysAreCounted() {
    ScanTrace.Query keyed =
        new ScanTrace.Query(
            "SELECT", "t", table, List.of(), null, null, null, null, null, 17, false, 20, 1);
    assertThat(new ScanText(true).of(keyed, table))
        .isEqualTo("SELECT user FROM t WHERE PRIMARY KEY IN (17 keys) LIMIT 20");
  }

  @Test
  void theFirstRowsHaveAnOrder() {
    TopN top = new TopN(List.of(new TopN.Order(key, false, false)), 3);
    ScanTrace.Query first =
        new ScanTrace.Query(
            "SELECT",
            "t",
            table,
            List.of(),
            null,
            null,
            top,
            null,
            null,
            0,
            false,
            Long.MAX_VALUE,
            1);
    assertThat(new ScanText(true).of(first, table))
        .isEqualTo("SELECT user FROM t ORDER BY user DESC LIMIT 3");
  }

  @Test
  void redactionLeavesTheShape() {
    List<ColumnPredicate> predicates = List.of(new ColumnPredicate.Equality(key, cell("eve")));
    assertThat(new ScanText(true).of(query(table, predicates, cell("adam"), cell("noah")), table))
        .isEqualTo(
            "SELECT user FROM t WHERE PRIMARY KEY >= <redacted> AND PRIMARY KEY < <redacted>"
                + " AND user = <redacted> ORDER BY PRIMARY KEY LIMIT 7");
    assertThat(new ScanText(false).of(query(table, List.of(), cell("adam"), null), null))
        .as("the tablet is gone")
        .contains("PRIMARY KEY >= <redacted>");
  }

  @Test
  void wideProjectionsAreCut() {
    Schema wide =
        new Schema(
            IntStream.range(0, 300)
                .mapToObj(i -> ColumnSchema.builder("c" + i, DataType.INT32).id(i).build())
                .toList());
    assertThat(new ScanText(true).of(query(wide, List.of(), null, null), table))
        .contains("c29, … 300 columns in all FROM")
        .doesNotContain("c30");
  }
}

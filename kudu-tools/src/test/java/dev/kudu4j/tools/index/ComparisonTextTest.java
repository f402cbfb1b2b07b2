package dev.kudu4j.tools.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.client.KuduIndexComparison;
import dev.kudu4j.client.KuduIndexComparison.Difference;
import dev.kudu4j.util.HybridTimeUtil;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ComparisonTextTest {
  private static final long SNAPSHOT =
      HybridTimeUtil.physicalAndLogicalToHTTimestamp(1_000_000L * 3600, 5);
  private static final Difference MISSING =
      new Difference("INT64 id=7", Optional.of("INT32 price=1"), Optional.empty());

  private static List<String> lines(
      int indexRows, int parts, int count, boolean exact, Difference... differences) {
    return ComparisonText.lines(
        new KuduIndexComparison(
            "by_price", SNAPSHOT, 3000, indexRows, parts, count, exact, List.of(differences)),
        1_250_000_000);
  }

  @Test
  void equalIndexesTakeOneLine() {
    assertThat(lines(3000, 0, 0, true))
        .containsExactly(
            "Index by_price as of 1970-01-01T01:00:00.000000Z: 3,000 rows of the table and 3,000 of"
                + " the index compared, 0 differences; 1.3 s");
  }

  @Test
  void differencesAreListed() {
    assertThat(lines(2999, 1, 1, true, MISSING))
        .hasSize(2)
        .contains("  INT64 id=7: missing in the index; the table has INT32 price=1")
        .first()
        .asString()
        .contains("2,999 of the index compared, 1 differences in 1 of 4096 parts;");
    assertThat(lines(2000, 900, 1000, false, MISSING))
        .contains("  and 999 more")
        .first()
        .asString()
        .contains("at least 1,000 differences in 900 of 4096 parts;");
  }
}

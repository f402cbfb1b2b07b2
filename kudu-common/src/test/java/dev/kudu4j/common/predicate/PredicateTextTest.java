package dev.kudu4j.common.predicate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PredicateTextTest {
  private final ColumnSchema name = ColumnSchema.builder("name", DataType.STRING).build();

  private static byte[] cell(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String plain(ColumnPredicate predicate) {
    return PredicateText.of(predicate, false);
  }

  @Test
  void predicatesReadLikeSql() {
    assertThat(plain(new ColumnPredicate.Range(name, cell("a"), cell("b"))))
        .isEqualTo("\"a\" <= name < \"b\"");
    assertThat(plain(new ColumnPredicate.Range(name, cell("a"), null))).isEqualTo("name >= \"a\"");
    assertThat(plain(new ColumnPredicate.Range(name, null, cell("b")))).isEqualTo("name < \"b\"");
    assertThat(plain(new ColumnPredicate.Equality(name, cell("a")))).isEqualTo("name = \"a\"");
    assertThat(plain(new ColumnPredicate.IsNull(name))).isEqualTo("name IS NULL");
    assertThat(plain(new ColumnPredicate.IsNotNull(name))).isEqualTo("name IS NOT NULL");
    assertThat(plain(new ColumnPredicate.None(name))).isEqualTo("name matches nothing");
    assertThat(plain(new ColumnPredicate.InBloomFilter(name, List.of(), null, null)))
        .isEqualTo("name IN 0 Bloom filters");
  }

  @Test
  void longPredicatesAreTruncated() {
    List<byte[]> values = IntStream.range(100, 200).mapToObj(i -> cell("v" + i)).toList();
    assertThat(plain(new ColumnPredicate.InList(name, values)))
        .startsWith("name IN (\"v100\", \"v101\"")
        .endsWith("\"v109\", … 100 values in all)");
    assertThat(plain(new ColumnPredicate.Equality(name, cell("x".repeat(5_000)))))
        .hasSizeLessThan(100);
  }

  @Test
  void redactedPredicatesContainNoCells() {
    for (ColumnPredicate predicate :
        List.of(
            new ColumnPredicate.Range(name, cell("secret"), cell("secret")),
            new ColumnPredicate.Range(name, cell("secret"), null),
            new ColumnPredicate.Range(name, null, cell("secret")),
            new ColumnPredicate.Equality(name, cell("secret")),
            new ColumnPredicate.InList(name, List.of(cell("secret"))))) {
      assertThat(PredicateText.of(predicate, true)).contains("<redacted>").doesNotContain("secret");
    }
  }
}

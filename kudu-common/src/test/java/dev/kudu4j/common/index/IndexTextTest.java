package dev.kudu4j.common.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.wire.IndexWire;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Indexes as text, and the errors of invalid ones. */
class IndexTextTest {
  private static final Schema TABLE =
      new Schema(
          List.of(
              ColumnSchema.builder("key", DataType.INT64).key(true).id(0).build(),
              ColumnSchema.builder("a", DataType.STRING).id(3).build(),
              ColumnSchema.builder("b, (c)", DataType.DOUBLE).id(5).build(),
              ColumnSchema.builder("*", DataType.DATE).id(6).build(),
              ColumnSchema.arrayBuilder("list", DataType.INT8).id(7).nullable(true).build()));

  private static IndexDefinition parse(String text) {
    return IndexText.parse("i", text).define(2, "i", TABLE);
  }

  private static void isReadAs(String text, List<Integer> columns, List<Integer> included) {
    IndexDefinition index = parse(text);
    assertThat(index).isEqualTo(new IndexDefinition(2, "i", columns, included));
    assertThat(parse(IndexText.of(index, TABLE).toString())).isEqualTo(index);
    assertThat(IndexWire.fromBytes(IndexWire.toBytes(List.of(index)))).containsExactly(index);
  }

  @Test
  void textIsReadAndWritten() {
    isReadAs("LOCAL (a)", List.of(3), List.of());
    isReadAs(" local(a , key)include ( \"b, (c)\" )", List.of(3, 0), List.of(5));
    isReadAs("LOCAL (\"*\") INCLUDE (*)", List.of(6), List.of(0, 3, 5, 7));
    assertThat(IndexText.parse("i", "local (\"b, (c)\",\"*\") include (a)").toString())
        .isEqualTo("LOCAL (\"b, (c)\", \"*\") INCLUDE (a)");
  }

  @Test
  void globalIndexesHaveBuckets() {
    isReadBack("GLOBAL (a)", "global(a)buckets 4");
    isReadBack("GLOBAL (a, key) HASH (key) BUCKETS 16", "global(a,key)hash(key)buckets 16");
    isReadBack("GLOBAL (a) INCLUDE (\"*\") HASH (a, key)", "global (a) include(\"*\") hash(a,key)");
    isReadBack("CLUSTERING (a) BUCKETS 1", "GLOBAL (a) include (*) buckets 1");
    isReadBack("UNIQUE GLOBAL (a)", "unique global(a)buckets 4");
    isReadBack("UNIQUE GLOBAL (a, key) BUCKETS 16", "UNIQUE GLOBAL(a,key) buckets 16");
    assertThat(parse("CLUSTERING (a)").included()).containsExactly(5, 6, 7);
    assertThat(parse("GLOBAL (a)").buckets()).isEqualTo(new IndexBuckets(List.of(), 4));
    assertThat(parse("GLOBAL (a)").buckets().hashedColumns(TABLE)).containsExactly(0);
  }

  private static void isReadBack(String text, String other) {
    IndexDefinition index = parse(text);
    assertThat(index.hasTablets()).isTrue();
    assertThat(IndexText.of(index, TABLE)).hasToString(text);
    assertThat(IndexWire.fromBytes(IndexWire.toBytes(List.of(index)))).containsExactly(index);
    assertThat(parse(other)).isEqualTo(index);
  }

  private static void isRefused(String text, String message) {
    assertThatThrownBy(() -> parse(text))
        .isInstanceOf(KuduException.class)
        .hasMessageContaining("Index i")
        .hasMessageContaining(message);
  }

  @Test
  void invalidTextIsRefused() {
    isRefused("", "expected LOCAL at position 0");
    isRefused("REMOTE (a)", "expected LOCAL");
    isRefused("GLOBAL (a) BUCKETS", "expected a number");
    isRefused("UNIQUE GLOBAL (a) HASH (a)", "expected the end");
    isRefused("UNIQUE GLOBAL (a) INCLUDE (key)", "expected the end");
    isRefused("UNIQUE GLOBAL (a) BUCKETS 0", "must have 1 to 256 buckets, not 0");
    isRefused("GLOBAL (a) BUCKETS 0", "must have 1 to 256 buckets, not 0");
    isRefused("GLOBAL (a) HASH (\"*\")", "but not by column *");
    isRefused("GLOBAL (a) HASH (a, a)", "more than once");
    isRefused("GLOBAL (\"b, (c)\")", "column of a global index");
    isRefused("CLUSTERING (a) INCLUDE (key)", "expected the end");
    isRefused("LOCAL", "expected '('");
    isRefused("LOCAL ()", "expected a column name");
    isRefused("LOCAL (a", "expected ')'");
    isRefused("LOCAL (\"a)", "expected a double quote");
    isRefused("LOCAL (a) INCLUDE (*, key)", "expected a column name at position 19");
    isRefused("LOCAL (a) more", "expected INCLUDE");
    isRefused("LOCAL (a) INCLUDE (key) x", "expected the end");
    isRefused("LOCAL (d)", "no column d");
    isRefused("LOCAL (a, a)", "contains column a more than once");
    isRefused("LOCAL (a) INCLUDE (a)", "contains column a more than once");
    isRefused("LOCAL (list)", "arrays cannot be indexed");
  }
}

package dev.kudu4j.tablet.scan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.expression.Aggregate;
import dev.kudu4j.common.expression.Aggregation;
import dev.kudu4j.common.expression.Expression;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.scan.aggregate.AggregateRow;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Groups of rows that are in several rowsets, whose pages number their values differently. */
class GroupedRowSetsTest {
  private static final ColumnSchema NAME = TabletParts.column(1, "name", DataType.STRING, false);
  private static final ColumnSchema KIND = TabletParts.column(2, "kind", DataType.INT8, false);
  private static final Schema SCHEMA =
      new Schema(
          List.of(ColumnSchema.builder("k", DataType.INT8).id(0).key(true).build(), NAME, KIND));

  @TempDir private Path directory;

  /**
   * The first rowset has two names and one kind, the second one name and two kinds. Both have two
   * combinations, but of different values.
   */
  @Test
  void combinationsOfAnotherDictionaryAreOtherGroups() throws IOException {
    try (TabletParts parts = new TabletParts(directory, SCHEMA, 4096, 4096)) {
      insert(parts, 1, "A", 1);
      insert(parts, 2, "B", 1);
      flush(parts);
      insert(parts, 3, "A", 1);
      insert(parts, 4, "A", 2);
      flush(parts);
      Aggregation perPair = new Aggregation(List.of(NAME, KIND), List.of(Aggregate.count()));
      assertThat(
              parts.aggregate(ScanSpec.of(SCHEMA, 100), perPair).stream()
                  .map(GroupedRowSetsTest::text))
          .containsExactly("A 1: [2]", "A 2: [1]", "B 1: [1]");
    }
  }

  @Test
  void aggregatesWithoutColumnsSeeRowsOnDisk() throws IOException {
    try (TabletParts parts = new TabletParts(directory, SCHEMA, 4096, 4096)) {
      insert(parts, 1, "A", 1);
      insert(parts, 2, "B", 1);
      flush(parts);
      insert(parts, 3, "C", 1);
      Expression two = Expression.literal("2");
      Aggregation ofLiteral =
          new Aggregation(
              List.of(), List.of(Aggregate.sum(two), Aggregate.max(two), Aggregate.count()));
      assertThat(parts.aggregate(ScanSpec.of(SCHEMA, 100), ofLiteral).get(0).values())
          .hasToString("[6, 2, 3]");
    }
  }

  private static String text(AggregateRow row) {
    String name = new String(row.group().get(0), StandardCharsets.UTF_8);
    return name + " " + row.group().get(1)[0] + ": " + row.values();
  }

  private static void insert(TabletParts parts, int key, String name, int kind) {
    byte[][] cells = {
      {(byte) key}, name.getBytes(StandardCharsets.UTF_8), {(byte) kind},
    };
    parts.insert(TabletParts.key(SCHEMA, cells), cells, key);
  }

  private static void flush(TabletParts parts) throws IOException {
    parts.flushStep();
    parts.flushStep();
  }
}

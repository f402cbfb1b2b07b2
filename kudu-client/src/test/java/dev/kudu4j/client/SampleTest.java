package dev.kudu4j.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.common.expression.RowEvaluator;
import dev.kudu4j.common.proto.tserver.NewScanRequestPB;
import dev.kudu4j.common.schema.LittleEndian;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Samples, and what the client does for servers that do not know them. */
class SampleTest {
  private static final ColumnSchema ID =
      new ColumnSchemaBuilder("id", Type.INT64).key(true).build();
  private static final ColumnSchema WEIGHT = new ColumnSchemaBuilder("weight", Type.DOUBLE).build();
  private static final Schema SCHEMA = new Schema(List.of(ID, WEIGHT));

  @Test
  void fractionsOutOfRangeAreErrors() {
    for (double wrong : new double[] {-0.1, 1.5, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatThrownBy(() -> KuduCondition.sample(SCHEMA, wrong, 7))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("from 0 to 1, not from 0.0 to " + wrong);
    }
    assertThatThrownBy(() -> KuduCondition.sample(List.of(ID), 0.5, 0.4, 7))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("from 0.5 to 0.4");
    assertThatThrownBy(() -> KuduCondition.sample(List.of(WEIGHT), 0, 0.4, 7))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Cannot sample by weight: it is DOUBLE");
    assertThatThrownBy(() -> KuduCondition.sample(List.of(), 0, 0.4, 7))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(KuduCondition.sample(SCHEMA, 0.25, 7))
        .hasToString("SAMPLE(id, 0.0 TO 0.25, SEED 7)")
        .isEqualTo(KuduCondition.sample(List.of(ID), 0, 0.25, 7))
        .isNotEqualTo(KuduCondition.sample(SCHEMA, 0.25, 8));
  }

  @Test
  void clientSelectsTheRowsOfServersBeforeSamples() throws Exception {
    try (ScriptedTable numbers = ScriptedTable.onServersBeforeSamples()) {
      KuduCondition sample = KuduCondition.sample(numbers.table().getSchema(), 0.4, 7);
      List<Integer> expected =
          IntStream.concat(IntStream.range(0, 25), IntStream.range(100, 125))
              .filter(k -> keeps(sample, k))
              .boxed()
              .toList();
      assertThat(expected).hasSizeBetween(8, 32);

      List<Integer> found = new ArrayList<>();
      KuduScanner scanner =
          numbers.client().newScannerBuilder(numbers.table()).sample(0.4, 7).build();
      for (RowResult row : scanner) {
        found.add(row.getInt("k"));
      }
      assertThat(found).isEqualTo(expected);
      assertThat(numbers.low().openings()).hasSize(1).noneMatch(NewScanRequestPB::hasCondition);

      KuduAggregate count = numbers.table().aggregate().count("rows").sample(0.4, 7).build();
      assertThat(count.execute().next().getLong("rows")).isEqualTo(expected.size());
      KuduAggregate filtered =
          numbers.table().aggregate().count("rows").filter(sample).count("all").build();
      RowResult both = filtered.execute().next();
      assertThat(both.getLong("rows")).isEqualTo(expected.size());
      assertThat(both.getLong("all")).isEqualTo(50);
    }
  }

  private static boolean keeps(KuduCondition sample, int k) {
    byte[] cell = new byte[Integer.BYTES];
    LittleEndian.putInt(cell, 0, k);
    return RowEvaluator.matches(sample.toCommon(), column -> cell);
  }
}

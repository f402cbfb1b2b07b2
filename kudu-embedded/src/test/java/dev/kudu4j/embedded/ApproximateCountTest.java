package dev.kudu4j.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.Insert;
import dev.kudu4j.client.KuduAggregate;
import dev.kudu4j.client.KuduAggregateBuilder;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.RowResult;
import dev.kudu4j.client.SessionConfiguration.FlushMode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Approximate distinct counts of servers. */
@Timeout(180)
class ApproximateCountTest {
  private static final int ROWS = 30_000;
  private static final int PARTS = 3;

  @Test
  void approximateCountsAreMergedOverTablets() throws Exception {
    try (EmbeddedCluster cluster = EmbeddedCluster.builder().tabletServers(1).start()) {
      KuduTable divided = load(cluster.client(), "divided", 6);
      KuduTable whole = load(cluster.client(), "whole", 1);
      RowResult all = counts(divided.aggregate()).execute().next();
      assertThat((double) all.getLong("ids")).isCloseTo(ROWS, within(0.1 * ROWS));
      assertThat(all.getLong("names")).as("few are exact").isEqualTo(90);
      assertThat(all.getLong("numbers")).as("NaN and zero count once").isEqualTo(3);
      assertThat(all.getLong("nothing")).isZero();
      RowResult exact = divided.aggregate().countDistinct("n", "number").build().execute().next();
      assertThat(exact.getLong("n")).isEqualTo(3);
      List<String> groups = new ArrayList<>();
      for (RowResult group :
          divided
              .aggregate()
              .groupBy("number")
              .count("n")
              .orderBy("number", true)
              .build()
              .execute()) {
        groups.add(group.getDouble("number") + ": " + group.getLong("n"));
      }
      assertThat(groups).containsExactly("0.0: 10000", "1.5: 10000", "NaN: 10000");
      RowResult same = counts(whole.aggregate()).execute().next();
      for (String column : List.of("ids", "names", "numbers", "nothing")) {
        assertThat(same.getLong(column)).as(column).isEqualTo(all.getLong(column));
      }
      Set<Integer> parts = new HashSet<>();
      for (RowResult group : counts(divided.aggregate().groupBy("part")).execute()) {
        parts.add(group.getInt("part"));
        assertThat((double) group.getLong("ids")).isCloseTo(ROWS / PARTS, within(1000.0));
        assertThat(group.getLong("numbers")).isEqualTo(1);
      }
      assertThat(parts).hasSize(PARTS);
      int single = 0;
      for (RowResult group :
          divided.aggregate().groupBy("id").countDistinctApprox("n", "name").build().execute()) {
        assertThat(group.getLong("n")).isEqualTo(group.getInt("id") % 91 == 0 ? 0 : 1);
        single++;
      }
      assertThat(single).as("more sketches than fit into the memory of a scan").isEqualTo(ROWS);
      assertThatThrownBy(() -> divided.aggregate().countDistinctApprox("n", "id").buildTokens(true))
          .hasMessageContaining("cannot be merged");
      KuduAggregate sketches = divided.aggregate().countDistinctApprox("n", "id").build();
      assertThat(sketches.hasParts()).isFalse();
    }
  }

  private static KuduAggregate counts(KuduAggregateBuilder aggregate) {
    return aggregate
        .countDistinctApprox("ids", "id")
        .countDistinctApprox("names", "name")
        .countDistinctApprox("numbers", "number")
        .countDistinctApprox("nothing", "nothing")
        .build();
  }

  private static KuduTable load(KuduClient client, String name, int buckets) throws KuduException {
    Schema schema =
        new Schema(
            List.of(
                new ColumnSchemaBuilder("id", Type.INT32).key(true).build(),
                new ColumnSchemaBuilder("part", Type.INT32).build(),
                new ColumnSchemaBuilder("name", Type.STRING).nullable(true).build(),
                new ColumnSchemaBuilder("number", Type.DOUBLE).build(),
                new ColumnSchemaBuilder("nothing", Type.INT64).nullable(true).build()));
    CreateTableOptions options = new CreateTableOptions().setNumReplicas(1);
    if (buckets > 1) {
      options.addHashPartitions(List.of("id"), buckets);
    } else {
      options.setRangePartitionColumns(List.of());
    }
    KuduTable table = client.createTable(name, schema, options);
    KuduSession session = client.newSession();
    session.setFlushMode(FlushMode.AUTO_FLUSH_BACKGROUND);
    for (int id = 0; id < ROWS; id++) {
      Insert insert = table.newInsert();
      insert.getRow().addInt("id", id);
      insert.getRow().addInt("part", id % PARTS);
      if (id % 91 == 0) {
        insert.getRow().setNull("name");
      } else {
        insert.getRow().addString("name", id % 91 == 1 ? "" : "name " + id % 91);
      }
      insert.getRow().addDouble("number", number(id));
      session.apply(insert);
    }
    session.flush();
    assertThat(session.countPendingErrors()).isZero();
    session.close();
    return table;
  }

  private static double number(int id) {
    return switch (id % PARTS) {
      case 0 -> id % 2 == 0 ? 0.0 : -0.0;
      case 1 -> id % 2 == 0 ? Double.NaN : Double.longBitsToDouble(0xfff8_0000_0000_0001L);
      default -> 1.5;
    };
  }
}

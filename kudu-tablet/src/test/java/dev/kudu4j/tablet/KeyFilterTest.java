package dev.kudu4j.tablet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.partition.HashDimension;
import dev.kudu4j.common.partition.Partition;
import dev.kudu4j.common.partition.PartitionSchema;
import dev.kudu4j.common.partition.TablePartitions;
import dev.kudu4j.common.row.OperationType;
import dev.kudu4j.common.row.RowLayout;
import dev.kudu4j.common.row.RowOperationsWriter;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.derived.DerivedLayout;
import dev.kudu4j.tablet.derived.DerivedRows;
import dev.kudu4j.tablet.derived.KeyFilter;
import dev.kudu4j.tablet.derived.PartitionFilter;
import dev.kudu4j.tablet.env.TabletOptions;
import dev.kudu4j.tablet.feed.ChangeBatch;
import dev.kudu4j.tablet.feed.ChangeKind;
import dev.kudu4j.tablet.feed.FeedPosition;
import dev.kudu4j.tablet.feed.FeedRequest;
import dev.kudu4j.tablet.log.WriteRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Changes of the rows of one partition of an index. */
class KeyFilterTest {
  private static final Schema BASE =
      new Schema(
              List.of(
                  ColumnSchema.builder("id", DataType.INT32).key(true).build(),
                  ColumnSchema.builder("part", DataType.STRING).key(true).build(),
                  ColumnSchema.builder("city", DataType.INT32).build()))
          .withFreshIds();
  private static final DerivedLayout LAYOUT =
      DerivedLayout.of(BASE, List.of(BASE.column(2).id()), List.of());

  private static TablePartitions partitions(int buckets, int... columns) {
    List<Integer> ids = new ArrayList<>();
    for (int column : columns) {
      ids.add(BASE.column(column).id());
    }
    PartitionSchema schema =
        new PartitionSchema(List.of(new HashDimension(ids, buckets, 0)), List.of(), List.of());
    return TablePartitions.create(schema, LAYOUT.schema(), List.of(), List.of(), buckets);
  }

  /** Read in pieces of any size, each partition has all changes of its rows, and no others. */
  @Property(tries = 50)
  void aPartitionHasTheChangesOfItsRows(@ForAll long seed) throws IOException {
    Random random = new Random(seed);
    TablePartitions partitions = random.nextBoolean() ? partitions(3, 0, 1) : partitions(3, 1);
    try (TabletHarness base = new TabletHarness(BASE, TabletOptions.DEFAULT)) {
      for (int i = 0; i < 30; i++) {
        write(base, random);
        if (random.nextInt(8) == 0) {
          base.tablet().flush();
        }
      }
      for (Partition partition : partitions.partitions()) {
        PartitionFilter rows = new PartitionFilter(LAYOUT, partitions.schema(), partition);
        Predicate<byte[]> keys = KeyFilter.of(BASE, LAYOUT, partitions.schema(), partition);
        assertThat(keys).isInstanceOf(KeyFilter.class);
        assertThat(changes(base, keys, DerivedRows.Filter.ALL, random))
            .isEqualTo(changes(base, key -> true, rows, random));
      }
    }
  }

  @Test
  void otherColumnsDoNotDecide() {
    TablePartitions byCity = partitions(2, 2);
    assertThat(
            KeyFilter.of(BASE, LAYOUT, byCity.schema(), byCity.partitions().get(0))
                .test(new byte[0]))
        .isTrue();
  }

  private static void write(TabletHarness base, Random random) {
    RowOperationsWriter rows = new RowOperationsWriter(RowLayout.of(BASE));
    for (int i = random.nextInt(8); i >= 0; i--) {
      boolean deletes = random.nextInt(4) == 0;
      rows.begin(deletes ? OperationType.DELETE_IGNORE : OperationType.UPSERT)
          .setInt(0, random.nextInt(10))
          .setString(1, "p" + random.nextInt(3));
      if (!deletes) {
        rows.setInt(2, random.nextInt(5));
      }
      rows.end();
    }
    int[] ids = BASE.columns().stream().mapToInt(ColumnSchema::id).toArray();
    base.write(List.of(new WriteRequest(null, 1, ids, rows.packed())));
  }

  private static List<String> changes(
      TabletHarness base, Predicate<byte[]> keys, DerivedRows.Filter filter, Random random)
      throws IOException {
    Schema projection = LAYOUT.projectionOf(BASE);
    List<String> texts = new ArrayList<>();
    long end = base.nextTimestamp();
    FeedPosition position = FeedPosition.at(0);
    while (position.timestamp() < end) {
      FeedRequest request =
          new FeedRequest(
              projection, position, end, 1 + random.nextInt(30), 1 << 20, Long.MAX_VALUE, keys);
      try (ChangeBatch changes = new ChangeBatch(base.environment().scans(), projection)) {
        base.tablet().readChanges(request, changes);
        int row = 0;
        for (int i = 0; i < changes.count(); i++) {
          ChangeKind kind = changes.kind(i);
          int last = row + (kind == ChangeKind.UPDATE ? 1 : 0);
          if (filter.accepts(changes.rows(), last)) {
            texts.add(
                changes.timestamp(i)
                    + " "
                    + kind
                    + " "
                    + Memory.getInt(changes.rows().column(0).cellAddress(last))
                    + " "
                    + Memory.getInt(changes.rows().column(1).cellAddress(last)));
          }
          row = last + 1;
        }
        position = changes.next();
      }
    }
    return texts;
  }
}

package dev.kudu4j.itest.agreement;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.ColumnTypeAttributes.ColumnTypeAttributesBuilder;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.PartialRow;
import dev.kudu4j.client.RangePartitionBound;
import dev.kudu4j.client.RangePartitionWithCustomHashSchema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;

/**
 * A schema of one to three key columns and a partitioning of it: hash dimensions, ranges with gaps,
 * both, ranges with their own hash dimensions, or none.
 */
final class RandomTable {
  private static final List<Type> KEY_TYPES =
      List.of(
          Type.INT8,
          Type.INT16,
          Type.INT32,
          Type.INT64,
          Type.STRING,
          Type.BINARY,
          Type.VARCHAR,
          Type.DATE,
          Type.UNIXTIME_MICROS,
          Type.DECIMAL);

  private final Random random;
  private final Schema schema;
  private final List<String> keys = new ArrayList<>();
  private final List<String> kinds = new ArrayList<>();

  RandomTable(Random random) {
    this.random = random;
    List<ColumnSchema> columns = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      keys.add("k" + keys.size());
      columns.add(keyColumn(keys.get(keys.size() - 1)));
    }
    columns.add(new ColumnSchemaBuilder("v", Type.INT32).nullable(true).build());
    columns.add(new ColumnSchemaBuilder("s", Type.STRING).nullable(true).build());
    this.schema = new Schema(columns);
  }

  private ColumnSchema keyColumn(String name) {
    Type type = KEY_TYPES.get(random.nextInt(KEY_TYPES.size()));
    ColumnSchemaBuilder column = new ColumnSchemaBuilder(name, type).key(true);
    if (type == Type.VARCHAR) {
      column.typeAttributes(new ColumnTypeAttributesBuilder().length(10).build());
    } else if (type == Type.DECIMAL) {
      int precision = List.of(9, 18, 38).get(random.nextInt(3));
      column.typeAttributes(
          new ColumnTypeAttributesBuilder().precision(precision).scale(2).build());
    }
    return column.build();
  }

  Schema schema() {
    return schema;
  }

  CreateTableOptions partitioning() {
    CreateTableOptions options = new CreateTableOptions().setNumReplicas(1);
    List<List<String>> dimensions = dimensions();
    for (List<String> columns : dimensions) {
      int buckets = 2 + random.nextInt(3);
      options.addHashPartitions(columns, buckets, random.nextInt(3));
      kinds.add("hash " + columns + " into " + buckets);
    }
    if (random.nextInt(4) > 0) {
      ranges(options, dimensions);
    } else {
      options.setRangePartitionColumns(List.of());
    }
    return options;
  }

  /** None, one or two disjoint lists of key columns. */
  private List<List<String>> dimensions() {
    List<String> columns = new ArrayList<>(keys);
    Collections.shuffle(columns, random);
    int count = random.nextInt(Math.min(2, columns.size()) + 1);
    if (count == 0) {
      return List.of();
    }
    int cut = 1 + random.nextInt(columns.size());
    return count == 1 || cut == columns.size()
        ? List.of(columns.subList(0, cut))
        : List.of(columns.subList(0, cut), columns.subList(cut, columns.size()));
  }

  private void ranges(CreateTableOptions options, List<List<String>> dimensions) {
    List<String> columns = keys.subList(0, 1 + random.nextInt(keys.size()));
    options.setRangePartitionColumns(columns);
    List<PartialRow> bounds = bounds(columns);
    kinds.add(bounds.size() + " bounds of " + columns);
    if (random.nextBoolean() && !isMin(bounds.get(0), columns)) {
      options.addRangePartition(schema.newPartialRow(), bounds.get(0));
    }
    for (int i = 0; i + 1 < bounds.size(); i++) {
      int kind = random.nextInt(4);
      if (kind == 0 && i > 0) {
        kinds.add("a gap");
      } else if (kind == 1 && !dimensions.isEmpty()) {
        options.addRangePartition(ownHashing(bounds.get(i), bounds.get(i + 1), dimensions));
        kinds.add("a range hashed in its own way");
      } else {
        options.addRangePartition(bounds.get(i), bounds.get(i + 1));
      }
    }
  }

  /**
   * Whether no value is below the bound: the empty text, which means "unbounded" as an upper bound.
   */
  private static boolean isMin(PartialRow bound, List<String> columns) {
    return columns.size() == 1 && Values.isEmptyText(bound.getObject(columns.get(0)));
  }

  private RangePartitionWithCustomHashSchema ownHashing(
      PartialRow lower, PartialRow upper, List<List<String>> dimensions) {
    RangePartitionWithCustomHashSchema range =
        new RangePartitionWithCustomHashSchema(
            lower, upper, RangePartitionBound.INCLUSIVE_BOUND, RangePartitionBound.EXCLUSIVE_BOUND);
    for (List<String> columns : dimensions) {
      range.addHashPartitions(columns, 2 + random.nextInt(4), random.nextInt(3));
    }
    return range;
  }

  /** Two to six range bounds, in order. */
  private List<PartialRow> bounds(List<String> columns) {
    int wanted = 2 + random.nextInt(5);
    TreeMap<byte[], PartialRow> ordered = new TreeMap<>(Arrays::compareUnsigned);
    while (ordered.size() < wanted) {
      PartialRow bound = schema.newPartialRow();
      PartialRow whole = schema.newPartialRow();
      for (String key : keys) {
        ColumnSchema column = schema.getColumn(key);
        if (columns.contains(key)) {
          Object value = Values.of(column, random);
          bound.addObject(key, value);
          whole.addObject(key, value);
        } else {
          whole.addObject(key, Values.of(column, new Random(0))); // the same for all
        }
      }
      ordered.put(whole.encodePrimaryKey(), bound);
    }
    return List.copyOf(ordered.values());
  }

  /** The table, for failure messages. */
  @Override
  public String toString() {
    return schema.getPrimaryKeyColumns().stream().map(c -> c.getType().getName()).toList()
        + " "
        + kinds;
  }
}

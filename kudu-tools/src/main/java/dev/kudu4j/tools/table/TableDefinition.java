package dev.kudu4j.tools.table;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.Schema;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.PartialRow;
import dev.kudu4j.client.RangePartitionBound;
import dev.kudu4j.client.RangePartitionWithCustomHashSchema;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tools.cell.CellReader;
import dev.kudu4j.tools.phrase.Condition;
import dev.kudu4j.tools.phrase.RangePhrase;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The definition of a new table, from flags or JSON. Errors name the invalid part. */
final class TableDefinition {
  /**
   * A hash dimension.
   *
   * @param seed the hash seed; 0 if none is given
   */
  record Hash(List<String> columns, int buckets, int seed) {}

  /**
   * A range partition. {@code hashing} is its own hash schema; if empty, the range has the hash
   * schema of the table.
   */
  record Range(RangePhrase bounds, List<Hash> hashing) {}

  private final String name;
  private final List<ColumnSchema> columns = new ArrayList<>();
  private final List<String> keys = new ArrayList<>();
  private final List<Hash> hashing = new ArrayList<>();
  private List<String> rangeColumns; // null: not given
  private final List<Range> ranges = new ArrayList<>();
  private final List<List<String>> splits = new ArrayList<>();
  private final Map<String, String> extraConfigs = new LinkedHashMap<>();
  private int replicas; // 0: the server's default
  private String owner = "";
  private String comment = "";

  TableDefinition(String name) {
    if (name.isBlank()) {
      throw KuduException.invalidArgument("A table needs a name");
    }
    this.name = name;
  }

  String name() {
    return name;
  }

  void column(ColumnSchema column) {
    if (columns.stream().anyMatch(other -> other.getName().equals(column.getName()))) {
      throw KuduException.invalidArgument("Column %s is repeated", column.getName());
    }
    columns.add(column);
  }

  void key(String column) {
    keys.add(column);
  }

  void hash(Hash dimension) {
    hashing.add(dimension);
  }

  void rangeColumns(List<String> names) {
    rangeColumns = List.copyOf(names);
  }

  void range(Range range) {
    ranges.add(range);
  }

  void split(List<String> values) {
    splits.add(values);
  }

  void extraConfig(String key, String value) {
    extraConfigs.put(key, value);
  }

  void replicas(int count) {
    replicas = count;
  }

  void owner(String value) {
    owner = value;
  }

  void comment(String value) {
    comment = value;
  }

  /** The schema: the key's columns first, in the key's order. */
  Schema schema() {
    if (keys.isEmpty()) {
      throw KuduException.invalidArgument(
          "Table %s has no key; write KEY after at least one column", name);
    }
    Set<String> seen = new HashSet<>();
    List<ColumnSchema> ordered = new ArrayList<>();
    for (String key : keys) {
      ColumnSchema column = byName(key, "the key");
      if (!seen.add(key)) {
        throw KuduException.invalidArgument("The key contains column %s twice", key);
      }
      if (column.isNullable()) {
        throw KuduException.invalidArgument("Key column %s cannot be NULLABLE", key);
      }
      ordered.add(new ColumnSchemaBuilder(column).key(true).build());
    }
    columns.stream().filter(column -> !seen.contains(column.getName())).forEach(ordered::add);
    return new Schema(ordered);
  }

  private ColumnSchema byName(String column, String user) {
    return columns.stream()
        .filter(each -> each.getName().equals(column))
        .findFirst()
        .orElseThrow(
            () ->
                KuduException.invalidArgument(
                    "There is no column '%s', which %s refers to; columns are %s",
                    column, user, columns.stream().map(ColumnSchema::getName).toList()));
  }

  /** All options except name and schema. */
  CreateTableOptions options(Schema schema) {
    CreateTableOptions options = new CreateTableOptions();
    for (Hash dimension : hashing) {
      check(dimension, schema);
      options.addHashPartitions(dimension.columns(), dimension.buckets(), dimension.seed());
    }
    List<ColumnSchema> ranged = checkedRangeColumns(schema);
    options.setRangePartitionColumns(ranged.stream().map(ColumnSchema::getName).toList());
    ranges.forEach(range -> add(range, ranged, schema, options));
    for (List<String> split : splits) {
      options.addSplitRow(row(split, ranged, schema));
    }
    if (replicas != 0) {
      options.setNumReplicas(replicas);
    }
    if (!owner.isEmpty()) {
      options.setOwner(owner);
    }
    if (!comment.isEmpty()) {
      options.setComment(comment);
    }
    if (!extraConfigs.isEmpty()) {
      options.setExtraConfigs(extraConfigs);
    }
    return options;
  }

  private void check(Hash dimension, Schema schema) {
    if (dimension.buckets() < 2) {
      throw KuduException.invalidArgument(
          "Hash partitioning by %s has %d buckets; it needs at least 2",
          dimension.columns(), dimension.buckets());
    }
    dimension.columns().forEach(column -> checkKey(column, "hash partitioning", schema));
  }

  private ColumnSchema checkKey(String name, String user, Schema schema) {
    ColumnSchema column = byName(name, user);
    if (!keys.contains(name)) {
      throw KuduException.invalidArgument(
          "Column %s cannot be used for %s, because it is not a key column", name, user);
    }
    return schema.getColumn(column.getName());
  }

  private List<ColumnSchema> checkedRangeColumns(Schema schema) {
    boolean needed = !ranges.isEmpty() || !splits.isEmpty();
    if (rangeColumns != null) {
      return rangeColumns.stream()
          .map(column -> checkKey(column, "range partitioning", schema))
          .toList();
    }
    if (needed && keys.size() > 1) {
      throw KuduException.invalidArgument(
          "There are ranges without range columns; give them with --range_columns");
    }
    return needed ? schema.getPrimaryKeyColumns() : List.of();
  }

  private static void add(
      Range range, List<ColumnSchema> columns, Schema schema, CreateTableOptions options) {
    RangePhrase bounds = range.bounds();
    PartialRow lower = row(bounds.lower(), columns, schema);
    PartialRow upper = row(bounds.upper(), columns, schema);
    RangePartitionBound lowerBound = bound(bounds.lowerInclusive());
    RangePartitionBound upperBound = bound(bounds.upperInclusive());
    if (range.hashing().isEmpty()) {
      options.addRangePartition(lower, upper, lowerBound, upperBound);
      return;
    }
    RangePartitionWithCustomHashSchema own =
        new RangePartitionWithCustomHashSchema(lower, upper, lowerBound, upperBound);
    range
        .hashing()
        .forEach(hash -> own.addHashPartitions(hash.columns(), hash.buckets(), hash.seed()));
    options.addRangePartition(own);
  }

  static RangePartitionBound bound(boolean inclusive) {
    return inclusive ? RangePartitionBound.INCLUSIVE_BOUND : RangePartitionBound.EXCLUSIVE_BOUND;
  }

  /** A bound of a range; without values, an empty row, which means unbounded. */
  static PartialRow row(List<String> values, List<ColumnSchema> columns, Schema schema) {
    if (!values.isEmpty() && values.size() != columns.size()) {
      throw KuduException.invalidArgument(
          "The bound %s has %d values, but the table has %d range columns: %s",
          values,
          values.size(),
          columns.size(),
          columns.stream().map(ColumnSchema::getName).toList());
    }
    PartialRow row = schema.newPartialRow();
    for (int i = 0; i < values.size(); i++) {
      ColumnSchema column = Condition.column(schema, columns.get(i).getName());
      row.addObject(column.getName(), CellReader.read(column, values.get(i)));
    }
    return row;
  }
}

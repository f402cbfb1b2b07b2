package dev.kudu4j.common.partition;

import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.schema.SchemaException;
import dev.kudu4j.common.schema.SchemaException.Reason;
import dev.kudu4j.common.status.StatusCode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * The partitioning of a table: hash dimensions, range columns, and the ranges with their own hash
 * schema. Columns are identified by id. Immutable.
 */
public final class PartitionSchema {
  private final List<HashDimension> hashDimensions;
  private final List<Integer> rangeColumnIds;
  private final List<HashedRange> customRanges;

  /**
   * @param customRanges ranges with their own hash schema; ranges with the table's hash schema are
   *     omitted
   */
  public PartitionSchema(
      List<HashDimension> hashDimensions,
      List<Integer> rangeColumnIds,
      List<HashedRange> customRanges) {
    this.hashDimensions = List.copyOf(hashDimensions);
    this.rangeColumnIds = List.copyOf(rangeColumnIds);
    List<HashedRange> kept = new ArrayList<>(customRanges);
    kept.removeIf(range -> range.hashDimensions().equals(hashDimensions));
    kept.sort((a, b) -> a.bounds().compareTo(b.bounds()));
    this.customRanges = List.copyOf(kept);
  }

  /** The hash dimensions of all ranges that are not in {@link #customRanges}. */
  public List<HashDimension> hashDimensions() {
    return hashDimensions;
  }

  /** The ids of the range columns, in the order of the partition key. */
  public List<Integer> rangeColumnIds() {
    return rangeColumnIds;
  }

  /** The ranges with their own hash schema, in ascending order. */
  public List<HashedRange> customRanges() {
    return customRanges;
  }

  /**
   * The hash dimensions of rows whose encoded range columns are at {@code [from, to)} of the array.
   */
  List<HashDimension> hashDimensionsOf(byte[] rangeKey, int from, int to) {
    int index = customRangeOf(rangeKey, from, to);
    return index < 0 ? hashDimensions : customRanges.get(index).hashDimensions();
  }

  /** The index of the custom range that contains the key; -1 if none contains it. */
  int customRangeOf(byte[] rangeKey, int from, int to) {
    int low = 0;
    int high = customRanges.size() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      RangeBounds bounds = customRanges.get(middle).bounds();
      if (bounds.contains(rangeKey, from, to)) {
        return middle;
      }
      byte[] lower = bounds.lower();
      if (Arrays.compareUnsigned(lower, 0, lower.length, rangeKey, from, to) > 0) {
        high = middle - 1;
      } else {
        low = middle + 1;
      }
    }
    return -1;
  }

  /** This schema with one more range; unchanged if the range has the table's hash schema. */
  public PartitionSchema withRange(HashedRange range) {
    List<HashedRange> ranges = new ArrayList<>(customRanges);
    ranges.add(range);
    return new PartitionSchema(hashDimensions, rangeColumnIds, ranges);
  }

  /** This schema without the range. */
  public PartitionSchema withoutRange(RangeBounds bounds) {
    List<HashedRange> ranges = new ArrayList<>(customRanges);
    ranges.removeIf(range -> range.bounds().equals(bounds));
    return new PartitionSchema(hashDimensions, rangeColumnIds, ranges);
  }

  /** The range columns of {@code table}, in the order of the partition key. */
  public List<ColumnSchema> rangeColumns(Schema table) {
    return rangeColumnIds.stream().map(id -> table.column(table.indexOfId(id))).toList();
  }

  /** The types of the range columns. */
  public List<DataType> rangeTypes(Schema table) {
    return rangeColumns(table).stream().map(ColumnSchema::type).toList();
  }

  /**
   * Validates the partitioning of a new table.
   *
   * @throws SchemaException INVALID_SCHEMA for invalid hash dimensions or columns
   */
  public void validate(Schema table) {
    validateHashing(hashDimensions, table);
    for (HashedRange range : customRanges) {
      validateRangeHashing(range.hashDimensions(), table);
    }
    Set<Integer> seen = new HashSet<>();
    for (int id : rangeColumnIds) {
      if (!isUsableKeyColumn(id, table) && !isWholeKey(id, table)) {
        throw SchemaException.invalid(
            "must specify only primary key columns for range partition component");
      }
      if (!seen.add(id)) {
        throw SchemaException.invalid(
            "duplicate column in range partition: %s", table.column(table.indexOfId(id)).name());
      }
    }
  }

  /**
   * Validates the hash dimensions of one range.
   *
   * @throws SchemaException INVALID_SCHEMA if the dimensions are invalid, or their number differs
   *     from the number of the table's dimensions
   */
  public void validateRangeHashing(List<HashDimension> dimensions, Schema table) {
    validateHashing(dimensions, table);
    if (dimensions.size() != hashDimensions.size()) {
      throw SchemaException.of(
          Reason.INVALID_SCHEMA,
          StatusCode.NOT_SUPPORTED,
          "varying number of hash dimensions per range is not yet supported");
    }
  }

  private static void validateHashing(List<HashDimension> dimensions, Schema table) {
    Set<Integer> seen = new HashSet<>();
    for (HashDimension dimension : dimensions) {
      if (dimension.bucketCount() < 2) {
        throw SchemaException.invalid("must have at least two hash buckets");
      }
      if (dimension.columnIds().isEmpty()) {
        throw SchemaException.invalid("must have at least one hash column");
      }
      for (int id : dimension.columnIds()) {
        if (!seen.add(id)) {
          throw SchemaException.invalid(
              "hash bucket schema components must not contain columns in common");
        }
        if (!isUsableKeyColumn(id, table)) {
          throw SchemaException.invalid(
              "must specify only primary key columns for hash bucket partition components");
        }
      }
    }
  }

  /**
   * Whether the column is a key column that is not auto-incrementing. An auto-incrementing column
   * gets its value too late to select a tablet.
   */
  private static boolean isUsableKeyColumn(int id, Schema table) {
    int index = table.indexOfId(id);
    return index >= 0
        && index < table.keyColumnCount()
        && !table.column(index).isAutoIncrementing();
  }

  /**
   * Whether the column is the whole key. Ranges may use such a column even if it is
   * auto-incrementing: a row without a value belongs to the lowest range.
   */
  private static boolean isWholeKey(int id, Schema table) {
    return table.keyColumnCount() == 1 && table.indexOfId(id) == 0;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PartitionSchema that
        && hashDimensions.equals(that.hashDimensions)
        && rangeColumnIds.equals(that.rangeColumnIds)
        && customRanges.equals(that.customRanges);
  }

  @Override
  public int hashCode() {
    return Objects.hash(hashDimensions, rangeColumnIds, customRanges);
  }

  @Override
  public String toString() {
    return "hash " + hashDimensions + ", range " + rangeColumnIds + ", custom " + customRanges;
  }
}

package dev.kudu4j.benchmarks.freshness;

import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.PartialRow;
import java.util.List;
import java.util.Map;

/**
 * The table of the run. The row with sequence number n has a pseudo-random unique key, so rows are
 * inserted all over the key range.
 */
final class FreshnessTable {
  static final String NAME = "freshness";
  static final String QUANTITY = "quantity";

  /** Quantities are uniform in {@code [0, QUANTITIES)}. */
  static final int QUANTITIES = 100;

  private static final int STATES = 50;
  private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

  private FreshnessTable() {}

  static Schema schema() {
    return new Schema(
        List.of(
            new ColumnSchemaBuilder("id", Type.INT64).key(true).build(),
            new ColumnSchemaBuilder(QUANTITY, Type.INT32).build(),
            new ColumnSchemaBuilder("price", Type.DOUBLE).nullable(true).build(),
            new ColumnSchemaBuilder("customer", Type.INT64).build(),
            new ColumnSchemaBuilder("state", Type.STRING).build(),
            new ColumnSchemaBuilder("note", Type.STRING).nullable(true).build()));
  }

  /**
   * @param epochSeconds 0 for no epochs
   */
  static CreateTableOptions options(int tablets, int epochSeconds) {
    CreateTableOptions options =
        new CreateTableOptions()
            .setNumReplicas(1)
            .setExtraConfigs(Map.of("kudu4j.epoch_sec", String.valueOf(epochSeconds)));
    return tablets == 1
        ? options.setRangePartitionColumns(List.of())
        : options.addHashPartitions(List.of("id"), tablets);
  }

  /** The key of a row: multiplication by an odd number is a bijection. */
  private static long id(long sequence) {
    return sequence * MULTIPLIER;
  }

  static void fill(PartialRow row, long sequence) {
    long hash = id(sequence + 1) >>> 20;
    row.addLong(0, id(sequence));
    row.addInt(1, (int) (hash % QUANTITIES));
    row.addDouble(2, hash % 1_000_000 / 100.0);
    row.addLong(3, hash);
    row.addString(4, "state " + hash % STATES);
    row.addString(5, "note on order " + Long.toString(hash, 36));
  }

  /** Changes the columns that a query filters and sums. */
  static void update(PartialRow row, long sequence, int value) {
    row.addLong(0, id(sequence));
    row.addInt(1, value % QUANTITIES);
    row.addDouble(2, value / 100.0);
  }
}

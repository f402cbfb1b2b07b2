package dev.kudu4j.benchmarks.mixed;

import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.PartialRow;
import java.util.List;

/**
 * The table of a mixed run. The row with sequence number n has a pseudo-random key, so inserts are
 * spread over the whole key range, and rowsets overlap. Keys are unique.
 */
final class MixedTable {
  static final String NAME = "mixed";
  static final int TABLETS = 2;
  static final int ID = 0;
  static final int SEQUENCE = 1;
  static final int AMOUNT = 2;
  static final int CATEGORY = 3;
  static final int NOTE = 4;
  static final int UPDATES = 5;

  /** Number of possible keys, which are in {@code [0, 2^40)}. */
  static final long KEYS = 1L << 40;

  private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;
  private static final int CATEGORIES = 12;

  private MixedTable() {}

  static Schema schema() {
    return new Schema(
        List.of(
            new ColumnSchemaBuilder("id", Type.INT64).key(true).build(),
            new ColumnSchemaBuilder("sequence", Type.INT64).build(),
            new ColumnSchemaBuilder("amount", Type.DOUBLE).build(),
            new ColumnSchemaBuilder("category", Type.STRING).build(),
            new ColumnSchemaBuilder("note", Type.STRING).nullable(true).build(),
            new ColumnSchemaBuilder("updates", Type.INT32).build()));
  }

  static CreateTableOptions partitioning() {
    return new CreateTableOptions().addHashPartitions(List.of("id"), TABLETS).setNumReplicas(1);
  }

  /**
   * The key of the row with this sequence number. The function is a bijection modulo 2^40: it
   * multiplies by an odd number, applies an invertible xor-shift, and multiplies again.
   */
  static long idOf(long sequence) {
    long spread = (sequence + 1) * MULTIPLIER & KEYS - 1;
    return (spread ^ spread >>> 21) * MULTIPLIER & KEYS - 1;
  }

  static void fill(PartialRow row, long sequence) {
    row.addLong(ID, idOf(sequence));
    row.addLong(SEQUENCE, sequence);
    row.addDouble(AMOUNT, sequence % 100_000 / 100.0);
    row.addString(CATEGORY, "category " + sequence % CATEGORIES);
    if (sequence % 7 == 0) {
      row.setNull(NOTE);
    } else {
      row.addString(NOTE, note(sequence));
    }
    row.addInt(UPDATES, 0);
  }

  private static String note(long sequence) {
    return "note on " + Long.toString(idOf(sequence), 36) + " and " + idOf(sequence + 7);
  }

  static void update(PartialRow row, long sequence, int round) {
    row.addLong(ID, idOf(sequence));
    row.addDouble(AMOUNT, round / 100.0);
    row.addInt(UPDATES, round);
  }
}

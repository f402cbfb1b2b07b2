package dev.kudu4j.tablet.env;

import java.util.function.BooleanSupplier;

/**
 * Sizes and limits of the engine.
 *
 * @param pageBytes target size of a column page before compression
 * @param rowSetBytes size at which a flush or compaction starts the next DiskRowSet
 * @param batchRows rows that a scan decodes at a time
 * @param arenaChunkBytes maximum size of the off-heap chunks by which in-memory stores grow
 * @param maxCellBytes maximum size of a string or binary cell
 * @param maxKeyBytes maximum size of an encoded key
 * @param redacted whether messages omit cell values; may change at any time
 */
public record TabletOptions(
    int pageBytes,
    long rowSetBytes,
    int batchRows,
    int arenaChunkBytes,
    int maxCellBytes,
    int maxKeyBytes,
    BooleanSupplier redacted) {
  public static final TabletOptions DEFAULT =
      new TabletOptions(256 << 10, 32L << 20, 4096, 1 << 20, 64 << 10, 16 << 10);

  /** Options with redacted messages. */
  public TabletOptions(
      int pageBytes,
      long rowSetBytes,
      int batchRows,
      int arenaChunkBytes,
      int maxCellBytes,
      int maxKeyBytes) {
    this(pageBytes, rowSetBytes, batchRows, arenaChunkBytes, maxCellBytes, maxKeyBytes, () -> true);
  }

  public TabletOptions withRedaction(BooleanSupplier wanted) {
    return new TabletOptions(
        pageBytes, rowSetBytes, batchRows, arenaChunkBytes, maxCellBytes, maxKeyBytes, wanted);
  }
}

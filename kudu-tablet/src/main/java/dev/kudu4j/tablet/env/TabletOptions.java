package dev.kudu4j.tablet.env;

import java.util.function.BooleanSupplier;

/**
 * Sizes of the engine's parts.
 *
 * @param pageBytes target size of a column page before compression
 * @param rowSetBytes size at which a DiskRowSet is rolled
 * @param batchRows rows a scan decodes at a time
 * @param arenaChunkBytes off-heap chunk in which in-memory stores grow
 * @param maxCellBytes largest text or binary cell that is accepted
 * @param maxKeyBytes largest encoded key that is accepted
 * @param redacted whether messages show no cells; may change at any time
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

  /** Whose messages show no cells. */
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

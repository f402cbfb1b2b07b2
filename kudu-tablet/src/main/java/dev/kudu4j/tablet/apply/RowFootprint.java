package dev.kudu4j.tablet.apply;

import dev.kudu4j.common.row.OperationType;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.delta.Mutation;
import dev.kudu4j.tablet.delta.RowChange;
import dev.kudu4j.tablet.memrowset.RowFormat;

/**
 * What rows of a write take in a tablet's memory once they are applied, known before they are: an
 * upper bound, from the schema and what a walk over the rows counts anyway.
 *
 * <pre>
 *   inserted   head, all cells of the schema (also those that the write does not set), key, place in the tree
 *   changed    head, cells that are set, place in the tree
 *   and        text and binary cells: as often as they are kept, in the key and beside it
 * </pre>
 *
 * <p>The unused ends of the arenas' chunks come on top: up to a third, for the largest rows, and a
 * chunk for each store. Immutable.
 */
public final class RowFootprint {
  /** A key's part of the nodes of a tree whose leaves are half full. */
  private static final int TREE_BYTES = 48;

  private static final int ALIGNMENT_BYTES = 8;

  /** What a store of changes on disk keeps of a row beside the change. */
  private static final int HEAD_BYTES = 24;

  /** With the jump of one that is not the first. */
  private static final int MUTATION_BYTES =
      Mutation.HEADER_BYTES + 24 + RowChange.HEADER_BYTES + ALIGNMENT_BYTES;

  /** An encoded key escapes each zero in two bytes, and the row keeps the cell beside it. */
  private static final int KEPT_OF_KEY_TEXT = 3;

  private final long insertBytes;
  private final long changeBytes;
  private final int keptOfText;

  public RowFootprint(Schema schema) {
    long key = 0;
    long cells = 0;
    long defaults = 0;
    boolean textInKey = false;
    for (int i = 0; i < schema.columnCount(); i++) {
      ColumnSchema column = schema.column(i);
      boolean isKey = i < schema.keyColumnCount();
      int width = column.type().width();
      textInKey |= isKey && width == 0;
      key += isKey ? width + 2 : 0;
      cells += RowChange.CELL_HEADER_BYTES + width;
      boolean textDefault = width == 0 && column.writeDefault() != null;
      defaults += textDefault ? column.writeDefault().length : 0;
    }
    long fresh = RowFormat.fixedRowBytes(schema) + key + TREE_BYTES + ALIGNMENT_BYTES;
    long reinserted = MUTATION_BYTES + cells;
    this.insertBytes = Math.max(fresh, reinserted) + defaults;
    this.changeBytes = HEAD_BYTES + TREE_BYTES + MUTATION_BYTES;
    this.keptOfText = textInKey ? KEPT_OF_KEY_TEXT : 1;
  }

  /**
   * One row, without its text and without the fixed cells that it sets if it is a change.
   *
   * @param cellsSet counts for a change
   */
  public long rowBytes(OperationType type, int cellsSet) {
    return switch (type) {
      case INSERT, INSERT_IGNORE, UPSERT, UPSERT_IGNORE -> insertBytes;
      default -> changeBytes + (long) RowChange.CELL_HEADER_BYTES * cellsSet;
    };
  }

  /**
   * All rows of a write.
   *
   * @param rowBytes sum of {@link #rowBytes}
   * @param packedBytes of the rows as they are sent, without indirect data
   * @param textBytes of all text and binary cells, shared ones counted each time
   */
  public long totalBytes(long rowBytes, long packedBytes, long textBytes) {
    return rowBytes + packedBytes + keptOfText * textBytes;
  }
}

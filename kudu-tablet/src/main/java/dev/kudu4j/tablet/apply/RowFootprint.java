package dev.kudu4j.tablet.apply;

import dev.kudu4j.common.row.OperationType;
import dev.kudu4j.common.row.RowOperations;
import dev.kudu4j.common.row.RowOperationsReader;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tablet.delta.Mutation;
import dev.kudu4j.tablet.delta.RowChange;
import dev.kudu4j.tablet.memrowset.RowFormat;

/**
 * An upper bound of the memory that the rows of a write take in a tablet once applied. It is
 * computed before the write is logged, from the schema and from totals that validation counts.
 *
 * <pre>
 *   inserted   header, key, tree entry, all cells of the schema (including those not set)
 *   changed    header, cells that are set, tree entry
 *   both       text and binary cells, each time they are stored: in the key and as a cell
 * </pre>
 *
 * <p>Unused ends of arena chunks are not included. They add up to a third to the memory of the
 * largest rows, and up to one chunk per store. Immutable.
 */
public final class RowFootprint {
  /** The bytes of tree nodes per key if leaves are half full. */
  private static final int TREE_BYTES = 48;

  private static final int ALIGNMENT_BYTES = 8;

  /** The bytes of an inserted row in the list of arrivals, and of a change in that of changes. */
  private static final int ARRIVAL_BYTES = 8;

  private static final int CHANGE_LOG_BYTES = 16;

  /** The bytes that a DeltaMemStore keeps per row in addition to the change. */
  private static final int HEAD_BYTES = 24;

  /** Includes the jump fields of a {@link Mutation} that is not the oldest of its chain. */
  private static final int MUTATION_BYTES =
      Mutation.HEADER_BYTES + 24 + RowChange.HEADER_BYTES + ALIGNMENT_BYTES + CHANGE_LOG_BYTES;

  /**
   * The bytes stored per byte of a string or binary key cell: up to two in the encoded key, which
   * escapes zero bytes, and one in the cell itself.
   */
  private static final int KEY_TEXT_FACTOR = 3;

  private final long insertBytes;
  private final long changeBytes;
  private final int textFactor;

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
      byte[] writeDefault = column.writeDefault();
      defaults += width == 0 && writeDefault != null ? writeDefault.length : 0;
    }
    long fresh =
        RowFormat.fixedRowBytes(schema) + key + TREE_BYTES + ALIGNMENT_BYTES + ARRIVAL_BYTES;
    long reinserted = MUTATION_BYTES + cells;
    this.insertBytes = Math.max(fresh, reinserted) + defaults;
    this.changeBytes = HEAD_BYTES + TREE_BYTES + MUTATION_BYTES;
    this.textFactor = textInKey ? KEY_TEXT_FACTOR : 1;
  }

  /**
   * The bytes of one row, without its text and, for a change, without the fixed-width cells that it
   * sets.
   *
   * @param cellsSet used for a change only
   */
  public long rowBytes(OperationType type, int cellsSet) {
    return switch (type) {
      case INSERT, INSERT_IGNORE, UPSERT, UPSERT_IGNORE -> insertBytes;
      default -> changeBytes + (long) RowChange.CELL_HEADER_BYTES * cellsSet;
    };
  }

  /**
   * The bytes of rows that nothing else has read yet.
   *
   * @throws KuduException if a row does not decode
   */
  public long bytesOf(RowOperations packed) {
    RowOperationsReader rows = packed.reader();
    long rowBytes = 0;
    while (rows.next()) {
      rowBytes += rowBytes(rows.type(), rows.setCount());
    }
    return totalBytes(rowBytes, packed.rowsLength(), rows.textBytes());
  }

  /**
   * The bytes of all rows of a write.
   *
   * @param rowBytes the sum of {@link #rowBytes}
   * @param packedBytes the size of the rows as sent, without indirect data
   * @param textBytes the total size of all text and binary cells; indirect data that several cells
   *     share counts once per cell
   */
  public long totalBytes(long rowBytes, long packedBytes, long textBytes) {
    return rowBytes + packedBytes + textFactor * textBytes;
  }
}

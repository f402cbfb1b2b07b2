package dev.kudu4j.common.row;

import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.common.status.KuduException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Splits packed row operations into pieces of bounded size, each of which is complete.
 *
 * <p>Rows without text or binary cells are split in place. Otherwise a piece contains the slice of
 * the indirect data that its rows refer to, and a copy of its rows with offsets relative to that
 * slice.
 *
 * <p>The bound applies to the expanded size of the rows: indirect bytes that several cells share
 * count once per cell. If no cells share bytes, this is the size of the message. The split points
 * depend only on the rows.
 */
public final class RowOperationsSplitter {
  /**
   * The operations {@code [firstRow, firstRow + rowCount)} of the batch.
   *
   * @param textBytes bytes of all text and binary cells; shared bytes count once per cell
   */
  public record Piece(int firstRow, int rowCount, RowOperations rows, int textBytes) {
    /** Bytes of the rows with all their cells. The rows take at most this size in the log. */
    public int expandedBytes() {
      return rows.rowsLength() + Math.max(rows.indirectLength(), textBytes);
    }
  }

  private final RowOperations whole;
  private final int maxBytes;
  private final List<Piece> pieces = new ArrayList<>();

  private int firstRow;
  private int start;
  private int lowest;
  private int highest;

  /** The largest offset of an empty cell; only empty cells may lie outside [lowest, highest]. */
  private int farthestEmpty;

  /** Bytes of text and binary cells before the current piece. */
  private long textBefore;

  private RowOperationsSplitter(RowOperations whole, int maxBytes) {
    this.whole = whole;
    this.maxBytes = maxBytes;
    this.start = whole.rowsOffset();
    clearRange();
  }

  /**
   * Splits the operations.
   *
   * @param maxBytes maximum size of the rows of one piece, with their text and binary cells
   * @throws KuduException INVALID_ARGUMENT if a single row is larger; also the exceptions of {@link
   *     RowOperationsReader#next}
   */
  public static List<Piece> split(RowOperations whole, int maxBytes) {
    return new RowOperationsSplitter(whole, maxBytes).cut();
  }

  private List<Piece> cut() {
    RowOperationsReader reader = whole.reader();
    int rowEnd = start;
    long textEnd = 0;
    while (reader.next()) {
      int rowStart = rowEnd;
      long textStart = textEnd;
      rowEnd = reader.endPosition();
      textEnd = reader.textBytes();
      int low = lowest;
      int high = highest;
      int empty = farthestEmpty;
      widen(reader);
      if (pieceBytes(rowEnd, textEnd) > maxBytes) {
        if (rowStart > start) {
          lowest = low;
          highest = high;
          farthestEmpty = empty;
          close(rowStart, reader.rowIndex(), textStart);
          widen(reader);
        }
        if (pieceBytes(rowEnd, textEnd) > maxBytes) {
          throw KuduException.invalidArgument(
              "Row %d of the request takes %d bytes; a row may take at most %d bytes",
              reader.rowIndex(), pieceBytes(rowEnd, textEnd), maxBytes);
        }
      }
    }
    if (rowEnd > start || pieces.isEmpty()) {
      close(rowEnd, reader.rowIndex() + 1, textEnd);
    }
    return pieces;
  }

  /**
   * The expanded size of a piece that ends at {@code rowEnd}. Its size in the log is at most this.
   */
  private long pieceBytes(int rowEnd, long textEnd) {
    return rowEnd - start + Math.max(span(), textEnd - textBefore);
  }

  private int span() {
    return highest > lowest ? highest - lowest : 0;
  }

  /** Extends the range of indirect bytes by those of the current row. */
  private void widen(RowOperationsReader reader) {
    int[] widths = whole.layout().widths();
    for (int column = 0; column < widths.length; column++) {
      if (widths[column] != 0 || !reader.hasCell(column)) {
        continue;
      }
      int from = reader.cellOffset(column) - whole.indirectOffset();
      if (reader.cellLength(column) == 0) {
        farthestEmpty = Math.max(farthestEmpty, from);
      } else {
        lowest = Math.min(lowest, from);
        highest = Math.max(highest, from + reader.cellLength(column));
      }
    }
  }

  private void clearRange() {
    lowest = Integer.MAX_VALUE;
    highest = 0;
    farthestEmpty = 0;
  }

  /** Ends the piece before {@code end}, where row {@code nextRow} begins. */
  private void close(int end, int nextRow, long textEnd) {
    int from = span() == 0 ? 0 : lowest;
    byte[] pieceRows = whole.rows();
    int pieceStart = start;
    if (from > 0 || farthestEmpty > span()) {
      pieceRows = Arrays.copyOfRange(pieceRows, start, end);
      pieceStart = 0;
      rebase(pieceRows, nextRow - firstRow, from);
    }
    pieces.add(
        new Piece(
            firstRow,
            nextRow - firstRow,
            new RowOperations(
                whole.layout(),
                pieceRows,
                pieceStart,
                end - start,
                whole.indirect(),
                whole.indirectOffset() + from,
                span()),
            (int) (textEnd - textBefore)));
    start = end;
    textBefore = textEnd;
    firstRow = nextRow;
    clearRange();
  }

  private void rebase(byte[] copy, int rowCount, int by) {
    int[] widths = whole.layout().widths();
    RowOperationsReader reader =
        new RowOperations(
                whole.layout(),
                copy,
                0,
                copy.length,
                whole.indirect(),
                whole.indirectOffset(),
                whole.indirectLength())
            .reader();
    for (int row = 0, rowStart = 0; row < rowCount; row++, rowStart = reader.endPosition()) {
      reader.next();
      int at = rowStart + reader.headerBytes();
      for (int column = 0; column < widths.length; column++) {
        if (!reader.hasCell(column)) {
          continue;
        }
        if (widths[column] == 0) {
          long offset = reader.cellLength(column) == 0 ? 0 : LittleEndian.getLong(copy, at) - by;
          LittleEndian.putLong(copy, at, offset);
          at += RowOperationsReader.SLICE_BYTES;
        } else {
          at += widths[column];
        }
      }
    }
  }
}

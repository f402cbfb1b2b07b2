package dev.kudu4j.tablet.rewrite;

import dev.kudu4j.tablet.delta.DeltaFileWriter;
import dev.kudu4j.tablet.delta.Mutation;
import dev.kudu4j.tablet.delta.RowChange;
import java.io.IOException;
import java.util.Arrays;

/**
 * Buffers the histories of a block of rows until the ordinals of the rows are known. The buffer
 * holds addresses, which are valid until the source starts its next block. Not thread-safe.
 */
public final class RowHistories implements HistorySink {
  private final MutationList undo = new MutationList();
  private final MutationList redo = new MutationList();

  /** The index of a row's first change in {@link #undo}, by row up to {@link #lastRow}. */
  private int[] undoStarts = new int[1];

  private int[] redoStarts = new int[1];
  private int lastRow = -1;

  /** Clears everything and starts a block with the given number of rows. */
  public void begin(int rows) {
    undo.clear();
    redo.clear();
    lastRow = -1;
    if (undoStarts.length < rows + 1) {
      undoStarts = new int[rows + 1];
      redoStarts = new int[rows + 1];
    }
    Arrays.fill(undoStarts, 0, rows + 1, 0);
    Arrays.fill(redoStarts, 0, rows + 1, 0);
  }

  /** Ends the block after its last row. */
  public void end(int rows) {
    startRow(rows);
  }

  private void startRow(int row) {
    while (lastRow < row) {
      lastRow++;
      undoStarts[lastRow] = undo.size();
      redoStarts[lastRow] = redo.size();
    }
  }

  @Override
  public void undo(int row, long entry) {
    startRow(row);
    undo.add(entry);
  }

  @Override
  public void redo(int row, long entry) {
    startRow(row);
    redo.add(entry);
  }

  /** The number of UNDO changes of a row. */
  public int undoCount(int row) {
    return undoStarts[row + 1] - undoStarts[row];
  }

  /** An UNDO change of a row; 0 is the oldest. */
  public long undo(int row, int index) {
    return undo.get(undoStarts[row] + index);
  }

  /** The number of changes of a row that stay REDO. */
  public int redoCount(int row) {
    return redoStarts[row + 1] - redoStarts[row];
  }

  /** A change of a row that stays REDO; 0 is the newest. */
  public long redo(int row, int index) {
    return redo.get(redoStarts[row] + index);
  }

  /** The deletion that is the row's last change, or 0 if the row is live. */
  public long deletion(int row) {
    long newest = redoCount(row) == 0 ? 0 : redo(row, 0);
    boolean deleted =
        newest != 0 && RowChange.kind(Mutation.changeAddress(newest)) == RowChange.DELETE;
    return deleted ? newest : 0;
  }

  /** Writes the UNDO changes of a row under its new ordinal. */
  public void writeUndo(int row, long ordinal, DeltaFileWriter out) throws IOException {
    for (int i = 0; i < undoCount(row); i++) {
      out.appendEntry(ordinal, undo(row, i));
    }
  }

  /** Writes the REDO changes of a row under its new ordinal. */
  public void writeRedo(int row, long ordinal, DeltaFileWriter out) throws IOException {
    for (int i = 0; i < redoCount(row); i++) {
      out.appendEntry(ordinal, redo(row, i));
    }
  }
}

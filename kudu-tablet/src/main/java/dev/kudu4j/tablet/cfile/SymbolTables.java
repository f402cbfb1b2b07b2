package dev.kudu4j.tablet.cfile;

import dev.kudu4j.tablet.batch.ColumnVector;

/**
 * The symbol tables of the pages of one column. Training costs more than encoding, so a table
 * serves further pages for as long as it is about as good for them as it was for its own. Not
 * thread-safe.
 */
final class SymbolTables {
  private static final int MOST_PAGES = 64;

  /** Pages that are not tried after one did not gain enough. */
  private static final int PATIENCE_PAGES = 7;

  /** A table takes room, and training time: a page of fewer bytes is not tried. */
  private static final int LEAST_BYTES = 256;

  private SymbolTableTrainer trainer;
  private SymbolTable table;
  private double trainedRatio;
  private int pagesLeft;
  private int pagesWithout;

  /**
   * Appends the page as {@link SymbolTableEncoding}.
   *
   * @return false when it would be longer than {@code mostBytes}; then nothing was appended
   */
  boolean encode(ColumnVector cells, PageBuilder out, long mostBytes) {
    if (cells.varlenBytes() < LEAST_BYTES) {
      return false;
    }
    if (pagesWithout > 0) {
      pagesWithout--;
      return false;
    }
    if (encodeWithLatest(cells, out, mostBytes) || encodeWithNew(cells, out, mostBytes)) {
      return true;
    }
    pagesWithout = PATIENCE_PAGES;
    return false;
  }

  private boolean encodeWithLatest(ColumnVector cells, PageBuilder out, long mostBytes) {
    if (pagesLeft == 0) {
      return false;
    }
    pagesLeft--;
    int start = out.bytes();
    long most = Math.min(mostBytes, (long) (1.1 * trainedRatio * cells.varlenBytes()) + 1024);
    if (PageEncodings.SYMBOL_TABLE.encode(cells, table, out, most)) {
      return true;
    }
    out.truncate(start);
    return false;
  }

  private boolean encodeWithNew(ColumnVector cells, PageBuilder out, long mostBytes) {
    if (trainer == null) {
      trainer = new SymbolTableTrainer();
    }
    table = trainer.train(cells);
    int start = out.bytes();
    boolean pays = PageEncodings.SYMBOL_TABLE.encode(cells, table, out, mostBytes);
    pagesLeft = pays ? MOST_PAGES : 0;
    if (pays) {
      trainedRatio = (out.bytes() - start) / (double) Math.max(1, cells.varlenBytes());
    } else {
      out.truncate(start);
    }
    return pays;
  }
}

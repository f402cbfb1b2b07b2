package dev.kudu4j.tablet.cfile;

import dev.kudu4j.tablet.batch.ColumnVector;
import org.jspecify.annotations.Nullable;

/**
 * The symbol tables of one column's pages. Training costs more than encoding, so a table is reused
 * for up to {@value #MAX_PAGES} pages, as long as it compresses them about as well as the page on
 * which it was trained. Not thread-safe.
 */
final class SymbolTables {
  private static final int MAX_PAGES = 64;

  /** The number of pages for which no table is tried after a table has saved too little. */
  private static final int BACKOFF_PAGES = 7;

  /**
   * No table is tried for pages with fewer bytes, because a table costs space and training time.
   */
  private static final int MIN_BYTES = 256;

  private @Nullable SymbolTableTrainer trainer;
  private @Nullable SymbolTable table; // the latest; null before the first
  private double trainedRatio;
  private int pagesLeft;
  private int pagesWithout;

  /**
   * Appends the page as {@link SymbolTableEncoding}.
   *
   * @return false if the result would exceed {@code maxBytes}; nothing was appended then
   */
  boolean encode(ColumnVector cells, PageBuilder out, long maxBytes) {
    if (cells.varlenBytes() < MIN_BYTES) {
      return false;
    }
    if (pagesWithout > 0) {
      pagesWithout--;
      return false;
    }
    if (encodeWithLatest(cells, out, maxBytes) || encodeWithNew(cells, out, maxBytes)) {
      return true;
    }
    pagesWithout = BACKOFF_PAGES;
    return false;
  }

  private boolean encodeWithLatest(ColumnVector cells, PageBuilder out, long maxBytes) {
    if (table == null || pagesLeft == 0) {
      return false;
    }
    pagesLeft--;
    int start = out.bytes();
    long max = Math.min(maxBytes, (long) (1.1 * trainedRatio * cells.varlenBytes()) + 1024);
    if (PageEncodings.SYMBOL_TABLE.encode(cells, table, out, max)) {
      return true;
    }
    out.truncate(start);
    return false;
  }

  private boolean encodeWithNew(ColumnVector cells, PageBuilder out, long maxBytes) {
    if (trainer == null) {
      trainer = new SymbolTableTrainer();
    }
    SymbolTable trained = trainer.train(cells);
    table = trained;
    int start = out.bytes();
    boolean pays = PageEncodings.SYMBOL_TABLE.encode(cells, trained, out, maxBytes);
    pagesLeft = pays ? MAX_PAGES : 0;
    if (pays) {
      trainedRatio = (out.bytes() - start) / (double) Math.max(1, cells.varlenBytes());
    } else {
      out.truncate(start);
    }
    return pays;
  }
}

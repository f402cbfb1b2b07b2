package dev.kudu4j.tablet.cfile;

import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.tablet.batch.ColumnVector;

/**
 * A way to write the cells of a page. The set is closed: each has a number, which stands in the
 * page; adding one is adding a class and a line in {@link PageEncodings}.
 *
 * <p>An encoding sees every row of the page as present: the writer has put some value where a NULL
 * is.
 */
abstract class PageEncoding {
  /** The number on disk, from 1. */
  abstract int number();

  /** The name in dumps. */
  abstract String name();

  abstract boolean fits(DataType type);

  /**
   * Appends the encoded cells.
   *
   * @param cells all rows of the page; borrowed
   * @param mostBytes give up when the result would be longer
   * @return false when it gave up; what was appended then means nothing
   */
  abstract boolean encode(ColumnVector cells, PageBuilder out, long mostBytes);

  abstract PageDecoder decoder(DataType type);

  @Override
  public final String toString() {
    return name();
  }
}

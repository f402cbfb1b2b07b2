package dev.kudu4j.tablet.cfile;

import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.tablet.batch.ColumnVector;

/**
 * Encodes the cells of a page. Each page contains the number of its encoding. A new encoding needs
 * a subclass and an entry in {@link PageEncodings}.
 *
 * <p>An encoding treats every row as present: the writer has replaced each NULL by a placeholder
 * value.
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
   * @param cells all rows of the page
   * @param maxBytes the encoding gives up if the result would be longer
   * @return false if the encoding gave up; the appended bytes are undefined then
   */
  abstract boolean encode(ColumnVector cells, PageBuilder out, long maxBytes);

  abstract PageDecoder decoder(DataType type);

  @Override
  public final String toString() {
    return name();
  }
}

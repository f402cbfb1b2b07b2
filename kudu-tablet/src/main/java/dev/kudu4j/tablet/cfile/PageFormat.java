package dev.kudu4j.tablet.cfile;

/**
 * The body of a column page. The enclosing block of the file adds checksum and compression.
 *
 * <pre>
 *   0  encoding u8          number of a {@link PageEncoding}; 0 when all cells are NULL
 *   1  null layout u8       0 no NULL, 1 all NULL, 2 a presence bitmap follows
 *   2  reserved u16         0
 *   4  row count i32
 *   8  null count i32
 *   12 presence bitmap      (row count + 7) / 8 bytes, bit i of byte i/8, set = present;
 *                           only with layout 2
 *   .. values               one per row, as encoded; a placeholder for a NULL; not with layout 1
 * </pre>
 */
final class PageFormat {
  static final int HEADER_BYTES = 12;
  static final int NO_ENCODING = 0;
  static final int NO_NULLS = 0;
  static final int ALL_NULL = 1;
  static final int BITMAP = 2;

  private PageFormat() {}

  static int bitmapBytes(int rows) {
    return (rows + 7) >>> 3;
  }
}

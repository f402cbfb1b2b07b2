package dev.kudu4j.tablet.check;

import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.cfile.ColumnIndex;
import dev.kudu4j.tablet.cfile.ColumnReader;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.file.FileKind;
import dev.kudu4j.tablet.file.SealedFile;
import dev.kudu4j.tablet.rowset.ColumnFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.arrow.memory.BufferAllocator;

/** Prints a file of rewritten columns: header, footer, pages and, on request, rows. */
public final class ColumnFileDump {
  private ColumnFileDump() {}

  /**
   * Prints the file.
   *
   * @param maxRows the number of rows to print; 0 for none
   */
  public static void print(TabletEnvironment environment, Path path, long maxRows, Appendable out)
      throws IOException {
    ColumnFile file = ColumnFile.open(environment.uncached(), path);
    try {
      SealedFile sealed = file.sealedFile();
      out.append(
          String.format(
              Locale.ROOT,
              "%s: %s, format version %d, %d bytes%nrows %d, columns %d%n",
              sealed.name(),
              FileKind.COLUMNS,
              sealed.version(),
              sealed.fileBytes(),
              file.rowCount(),
              file.columns().size()));
      ColumnDump columns = new ColumnDump(sealed, environment.allocator(), out);
      for (ColumnIndex column : file.columns()) {
        columns.print(column);
      }
      List<ColumnReader> readers = new ArrayList<>();
      file.columns().forEach(column -> readers.add(file.openColumn(column.column().id())));
      printRows("row", readers, environment.allocator(), Math.min(maxRows, file.rowCount()), out);
    } finally {
      file.release();
    }
  }

  /** Prints the cells of the readers, and closes the readers. */
  static void printRows(
      String what, List<ColumnReader> readers, BufferAllocator allocator, long rows, Appendable out)
      throws IOException {
    try {
      for (long ordinal = 0; ordinal < rows; ordinal++) {
        out.append(what).append(' ').append(Long.toString(ordinal)).append(':');
        String separator = " ";
        for (ColumnReader reader : readers) {
          out.append(separator).append(cell(reader, ordinal, allocator));
          separator = ", ";
        }
        out.append('\n');
      }
    } finally {
      readers.forEach(ColumnReader::close);
    }
  }

  /** The column's name and its cell in the row. */
  static String cell(ColumnReader reader, long ordinal, BufferAllocator allocator)
      throws IOException {
    ColumnSchema column = reader.column();
    try (ColumnVector cell = new ColumnVector(allocator, column.type(), column.isNullable())) {
      reader.read(ordinal, 1, cell);
      return column.name() + ' ' + CellFormatter.of(column, cell, 0);
    }
  }
}

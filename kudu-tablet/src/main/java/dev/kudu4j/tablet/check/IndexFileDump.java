package dev.kudu4j.tablet.check;

import dev.kudu4j.tablet.cfile.ColumnIndex;
import dev.kudu4j.tablet.cfile.ColumnReader;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.file.FileKind;
import dev.kudu4j.tablet.file.SealedFile;
import dev.kudu4j.tablet.index.IndexFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Prints an index file: header, footer, pages and, on request, entries. */
public final class IndexFileDump {
  private IndexFileDump() {}

  /**
   * Prints the file.
   *
   * @param maxEntries the number of entries to print; 0 for none
   */
  public static void print(
      TabletEnvironment environment, Path path, long maxEntries, Appendable out)
      throws IOException {
    IndexFile file = IndexFile.open(environment.uncached(), path);
    try {
      SealedFile sealed = file.sealedFile();
      out.append(
          String.format(
              Locale.ROOT,
              "%s: %s, format version %d, %d bytes%nindex id %d, entries %d, indexed columns %d,"
                  + " included columns %d, Bloom chunks %d%n",
              sealed.name(),
              FileKind.INDEX,
              sealed.version(),
              sealed.fileBytes(),
              file.indexId(),
              file.entryCount(),
              file.indexedColumns().size(),
              file.columns().size() - file.indexedColumns().size(),
              file.filter().locations().size()));
      ColumnDump columns = new ColumnDump(sealed, environment.allocator(), out);
      List<ColumnReader> readers = new ArrayList<>();
      for (ColumnIndex column : file.columns()) {
        columns.print(column);
        readers.add(file.openColumn(column.column().id()));
      }
      columns.print(file.ordinals());
      readers.add(file.openOrdinals());
      long entries = Math.min(maxEntries, file.entryCount());
      ColumnFileDump.printRows("entry", readers, environment.allocator(), entries, out);
    } finally {
      file.release();
    }
  }
}

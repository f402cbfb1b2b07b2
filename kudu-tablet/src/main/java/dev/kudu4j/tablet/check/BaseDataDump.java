package dev.kudu4j.tablet.check;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import dev.kudu4j.tablet.cfile.ColumnIndex;
import dev.kudu4j.tablet.cfile.ColumnReader;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.file.BlockLocation;
import dev.kudu4j.tablet.file.FileKind;
import dev.kudu4j.tablet.file.SealedFile;
import dev.kudu4j.tablet.rowset.BaseData;
import dev.kudu4j.tablet.rowset.BaseDataFooter;
import dev.kudu4j.tablet.rowset.KeyIndex;
import dev.kudu4j.tablet.rowset.RowSetKeyCursor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.arrow.memory.BufferAllocator;

/** Prints a base data file: header, footer, page indexes and, on request, rows. */
public final class BaseDataDump {
  private final BaseData data;
  private final BaseDataFooter footer;
  private final BufferAllocator allocator;
  private final Appendable out;

  private BaseDataDump(BaseData data, BufferAllocator allocator, Appendable out) {
    this.data = data;
    this.footer = data.footer();
    this.allocator = allocator;
    this.out = out;
  }

  /**
   * Prints the file.
   *
   * @param maxRows the number of rows to print; 0 for none
   */
  public static void print(TabletEnvironment environment, Path path, long maxRows, Appendable out)
      throws IOException {
    BaseData data = BaseData.open(environment.uncached(), path);
    try {
      BaseDataDump dump = new BaseDataDump(data, environment.allocator(), out);
      dump.printHeader();
      ColumnDump columns = new ColumnDump(data.sealedFile(), environment.allocator(), out);
      columns.print(dump.footer.insertTimestamps());
      for (ColumnIndex column : dump.footer.columns()) {
        columns.print(column);
      }
      dump.printKeys();
      dump.printRows(Math.min(maxRows, data.rowCount()));
    } finally {
      data.release();
    }
  }

  private void printHeader() throws IOException {
    SealedFile file = data.sealedFile();
    line(
        "%s: %s, format version %d, %d bytes",
        file.name(), FileKind.BASE_DATA, file.version(), file.fileBytes());
    line(
        "rows %d, columns %d, insert timestamps %d to %d",
        footer.rowCount(),
        footer.columns().size(),
        footer.minInsertTimestamp(),
        footer.maxInsertTimestamp());
  }

  private void printKeys() throws IOException {
    KeyIndex keys = footer.keys();
    line("keys: from %s to %s", Hex.of(keys.minKey()), Hex.of(keys.maxKey()));
    for (int page = 0; page < keys.pageCount(); page++) {
      BlockLocation location = keys.location(page);
      line(
          "  page %d: offset %d, bytes %d, ordinals %d to %d, separator %s",
          page,
          location.offset(),
          location.bytes(),
          keys.firstOrdinal(page),
          keys.firstOrdinal(page) + keys.rowCount(page) - 1,
          Hex.of(keys.separator(page)));
    }
    for (int chunk = 0; chunk < keys.chunkCount(); chunk++) {
      BlockLocation location = keys.chunkLocation(chunk);
      line(
          "  Bloom chunk %d: offset %d, bytes %d, from key page %d",
          chunk, location.offset(), location.bytes(), keys.chunkFirstPage(chunk));
    }
  }

  private void printRows(long rows) throws IOException {
    List<ColumnReader> readers = new ArrayList<>();
    try (RowSetKeyCursor keys = data.openKeys()) {
      for (ColumnIndex column : footer.columns()) {
        readers.add(data.openColumn(column.column().id()));
      }
      long[] timestamp = new long[1];
      for (long ordinal = 0; ordinal < rows; ordinal++) {
        keys.next();
        data.readInsertTimestamps(ordinal, 1, timestamp);
        byte[] key = Arrays.copyOf(keys.keyArray(), keys.keyLength());
        line(
            "row %d: key %s, inserted %d%s",
            ordinal, Hex.of(key), timestamp[0], cells(readers, ordinal));
      }
    } finally {
      readers.forEach(ColumnReader::close);
    }
  }

  private String cells(List<ColumnReader> readers, long ordinal) throws IOException {
    StringBuilder text = new StringBuilder();
    for (ColumnReader reader : readers) {
      text.append(", ").append(ColumnFileDump.cell(reader, ordinal, allocator));
    }
    return text.toString();
  }

  @FormatMethod
  private void line(@FormatString String format, Object... args) throws IOException {
    out.append(String.format(Locale.ROOT, format, args)).append('\n');
  }
}

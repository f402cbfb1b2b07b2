package dev.kudu4j.tablet.check;

import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.tablet.cfile.ColumnIndex;
import dev.kudu4j.tablet.cfile.ColumnReader;
import dev.kudu4j.tablet.file.BlockLocation;
import dev.kudu4j.tablet.file.SealedFile;
import java.io.IOException;
import java.util.Locale;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/** Prints a column of a file: its definition and its pages. */
record ColumnDump(SealedFile file, BufferAllocator allocator, Appendable out) {
  void print(ColumnIndex index) throws IOException {
    ColumnSchema column = index.column();
    out.append(
        String.format(
            Locale.ROOT,
            "column id %d: %s, encoding %s, compression %s, pages %d%n",
            column.id(),
            column,
            column.encoding(),
            column.compression(),
            index.pageCount()));
    try (ColumnReader reader = new ColumnReader(file, index, allocator)) {
      for (int page = 0; page < index.pageCount(); page++) {
        printPage(index, reader, page);
      }
    }
  }

  private void printPage(ColumnIndex index, ColumnReader reader, int page) throws IOException {
    BlockLocation location = index.location(page);
    out.append(
        String.format(
            Locale.ROOT,
            "  page %d: offset %d, bytes %d (%d before compression), %s, ordinals %d to %d,"
                + " NULLs %d, from %s to %s%n",
            page,
            location.offset(),
            location.bytes(),
            reader.bodyBytes(page),
            reader.encodingText(page),
            index.firstOrdinal(page),
            index.firstOrdinal(page) + index.rowCount(page) - 1,
            index.nullCount(page),
            bound(index.column(), index.minimum(page)),
            bound(index.column(), index.maximum(page))));
  }

  private static String bound(ColumnSchema column, byte @Nullable [] cell) {
    return cell == null ? "unknown" : CellFormatter.of(column, cell);
  }
}

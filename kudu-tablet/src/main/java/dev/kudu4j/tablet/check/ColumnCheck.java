package dev.kudu4j.tablet.check;

import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.cfile.ColumnIndex;
import dev.kudu4j.tablet.cfile.ColumnReader;
import dev.kudu4j.tablet.cfile.PageStatistics;
import dev.kudu4j.tablet.file.BlockLocation;
import dev.kudu4j.tablet.file.SealedFile;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/** Reads all pages of a file's columns and compares their statistics with their cells. */
record ColumnCheck(SealedFile file, BufferAllocator allocator, Problems problems) {
  static void addPages(ColumnIndex column, List<BlockLocation> blocks) {
    for (int page = 0; page < column.pageCount(); page++) {
      blocks.add(column.location(page));
    }
  }

  void check(ColumnIndex column) throws IOException {
    try (ColumnReader reader = new ColumnReader(file, column, allocator);
        ColumnVector cells =
            new ColumnVector(allocator, column.column().type(), column.column().isNullable())) {
      for (int page = 0; page < column.pageCount(); page++) {
        int checked = page;
        problems.collect(() -> checkPage(reader, checked, column, cells));
      }
    }
  }

  private void checkPage(ColumnReader reader, int page, ColumnIndex column, ColumnVector cells)
      throws IOException {
    cells.clear();
    reader.read(column.firstOrdinal(page), column.rowCount(page), cells);
    PageStatistics found = PageStatistics.of(cells);
    long offset = column.location(page).offset();
    if (found.nullCount() != column.nullCount(page)) {
      problems.add(
          offset,
          "NULLs of column %s: expected %d, found %d",
          column.column(),
          column.nullCount(page),
          found.nullCount());
    }
    checkBound(offset, column, "minimum", column.minimum(page), found.minimum());
    checkBound(offset, column, "maximum", column.maximum(page), found.maximum());
  }

  private void checkBound(
      long offset,
      ColumnIndex column,
      String what,
      byte @Nullable [] expected,
      byte @Nullable [] found) {
    if (!Arrays.equals(expected, found)) {
      problems.add(
          offset,
          "%s of column %s: expected %s, found %s",
          what,
          column.column(),
          Hex.of(expected),
          Hex.of(found));
    }
  }
}

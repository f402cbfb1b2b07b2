package dev.kudu4j.benchmarks.find;

import dev.kudu4j.benchmarks.selection.CellType;
import dev.kudu4j.benchmarks.selection.GeneratedTable;
import dev.kudu4j.benchmarks.selection.Range;
import dev.kudu4j.benchmarks.selection.TableColumn;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/**
 * Files with their path, time of modification, size and owner. Some of them were modified in the
 * minute before {@link #NOW_SECONDS}, the others within two years.
 */
record FileRows(long rowCount) implements GeneratedTable {
  static final String PATH = "path";
  static final String MODIFIED = "mtime";

  /** The time of the search, in seconds since 1970. It is fixed, so that rows are. */
  static final long NOW_SECONDS = 1_760_000_000;

  static final long MINUTE_SECONDS = 60;

  /** Number of files that were modified in the last minute. */
  static final long RECENT = 100;

  private static final int FILES_OF_DIRECTORY = 100;
  private static final int DIRECTORIES_OF_OWNER = 50;
  private static final long LONGEST_SECONDS = TimeUnit.DAYS.toSeconds(730);

  FileRows {
    if (rowCount < RECENT || rowCount % RECENT != 0) {
      throw new IllegalArgumentException(
          "The number of files must be a multiple of " + RECENT + ", got " + rowCount);
    }
  }

  @Override
  public String name() {
    return "files";
  }

  @Override
  public List<TableColumn> columns() {
    return List.of(
        new TableColumn(PATH, CellType.STRING),
        new TableColumn(MODIFIED, CellType.INT64),
        new TableColumn("size", CellType.INT64),
        new TableColumn("owner", CellType.STRING));
  }

  @Override
  public Iterator<Object[]> rows(int part, int parts) {
    long first = rowCount * (part - 1) / parts;
    long end = rowCount * part / parts;
    return LongStream.range(first, end).mapToObj(this::row).iterator();
  }

  private Object[] row(long file) {
    long size = new SplittableRandom(file).nextLong(1 << 24);
    return new Object[] {path(file), modifiedSeconds(file) * 1_000_000, size, owner(file)};
  }

  /** The path of a file, without a slash at the beginning. */
  String path(long file) {
    return String.format(
        Locale.ROOT,
        "home/%s/project-%05d/file-%09d.dat",
        owner(file),
        file / FILES_OF_DIRECTORY,
        file);
  }

  private static String owner(long file) {
    return "user-" + file / FILES_OF_DIRECTORY / DIRECTORIES_OF_OWNER;
  }

  /** When a file was modified, in seconds since 1970; never exactly a minute ago. */
  long modifiedSeconds(long file) {
    SplittableRandom random = new SplittableRandom(~file);
    boolean recent = file % (rowCount / RECENT) == 0;
    return NOW_SECONDS
        - (recent
            ? random.nextLong(MINUTE_SECONDS)
            : random.nextLong(MINUTE_SECONDS + 1, LONGEST_SECONDS));
  }

  /** The last minute, as values of {@link #MODIFIED}. */
  static Range lastMinute() {
    return new Range(MODIFIED, (NOW_SECONDS - MINUTE_SECONDS) * 1_000_000, NOW_SECONDS * 1_000_000);
  }
}

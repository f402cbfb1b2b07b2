package dev.kudu4j.tablet.rowset;

import dev.kudu4j.tablet.cfile.ColumnIndex;
import dev.kudu4j.tablet.cfile.ColumnReader;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.file.FileKind;
import dev.kudu4j.tablet.file.FooterReader;
import dev.kudu4j.tablet.file.FooterWriter;
import dev.kudu4j.tablet.file.SealedFile;
import dev.kudu4j.tablet.file.StoredFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Columns of a rowset that were written anew, beside its base data, open for reading from any
 * number of threads. What stands here takes the place of the same columns in the base data.
 *
 * <pre>
 *   footer: row count i64 | column count i32 | {@link ColumnIndex} each
 * </pre>
 *
 * <p>Counts its users: {@link #retain} and {@link #release}; whoever opens a column holds a
 * reference until it has closed it.
 */
public final class ColumnFile implements StoredFile {
  private final Path path;
  private final SealedFile file;
  private final BufferAllocator allocator;
  private final long rowCount;
  private final List<ColumnIndex> columns;
  private final Map<Integer, ColumnIndex> columnsById = new HashMap<>();
  private final AtomicInteger references = new AtomicInteger(1);
  private volatile Runnable afterLastRelease = () -> {};

  private ColumnFile(
      Path path,
      SealedFile file,
      BufferAllocator allocator,
      long rowCount,
      List<ColumnIndex> columns) {
    this.path = path;
    this.file = file;
    this.allocator = allocator;
    this.rowCount = rowCount;
    this.columns = List.copyOf(columns);
    for (ColumnIndex column : columns) {
      columnsById.put(column.column().id(), column);
    }
  }

  /**
   * Opens the file, checks header and footer. The caller holds the first reference.
   *
   * @throws dev.kudu4j.common.status.KuduException CORRUPTION for a broken file, NOT_SUPPORTED for
   *     one of another version
   */
  public static ColumnFile open(TabletEnvironment environment, Path file) throws IOException {
    BufferAllocator allocator =
        environment
            .allocator()
            .newChildAllocator("column file " + file.getFileName(), 0, Long.MAX_VALUE);
    SealedFile sealed = null;
    try {
      sealed = SealedFile.open(environment, allocator, file, FileKind.COLUMNS);
      return readFooter(file, sealed, allocator);
    } catch (Throwable e) {
      if (sealed != null) {
        sealed.close();
      }
      allocator.close();
      throw e;
    }
  }

  private static ColumnFile readFooter(Path path, SealedFile file, BufferAllocator allocator) {
    FooterReader footer = file.footer();
    long rows = footer.getLong();
    int count = footer.getCount(1);
    List<ColumnIndex> columns = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      columns.add(BaseDataFooter.readColumn(footer, rows));
    }
    footer.end();
    return new ColumnFile(path, file, allocator, rows, columns);
  }

  static byte[] footer(long rowCount, List<ColumnIndex> columns) {
    FooterWriter footer = new FooterWriter();
    footer.putLong(rowCount).putInt(columns.size());
    for (ColumnIndex column : columns) {
      column.writeTo(footer);
    }
    return footer.toByteArray();
  }

  @Override
  public Path file() {
    return path;
  }

  @Override
  public long fileBytes() {
    return file.fileBytes();
  }

  /** The same as the base data's. */
  public long rowCount() {
    return rowCount;
  }

  public List<ColumnIndex> columns() {
    return columns;
  }

  /** The file below: for checks and dumps. */
  public SealedFile sealedFile() {
    return file;
  }

  /** Whether the file holds the column. */
  public boolean hasColumn(int columnId) {
    return columnsById.containsKey(columnId);
  }

  /** A reader of the column; the caller closes it. */
  public ColumnReader openColumn(int columnId) {
    ColumnIndex column = columnsById.get(columnId);
    if (column == null) {
      throw new IllegalArgumentException(path + " has no column of id " + columnId);
    }
    return new ColumnReader(file, column, allocator);
  }

  public void retain() {
    int before = references.getAndUpdate(count -> count > 0 ? count + 1 : count);
    if (before <= 0) {
      throw new IllegalStateException("Column file used after its last release: " + path);
    }
  }

  public void release() {
    int left = references.decrementAndGet();
    if (left < 0) {
      throw new IllegalStateException("Column file released too often: " + path);
    }
    if (left > 0) {
      return;
    }
    try {
      file.close();
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot close " + path, e);
    } finally {
      allocator.close();
    }
    afterLastRelease.run();
  }

  @Override
  public void afterLastRelease(Runnable action) {
    afterLastRelease = action;
  }
}

package dev.kudu4j.tablet.check;

import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.cfile.ColumnReader;
import dev.kudu4j.tablet.components.RowSetFiles;
import dev.kudu4j.tablet.delta.DeltaFile;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.proto.RowSetPB;
import dev.kudu4j.tablet.rowset.BaseData;
import dev.kudu4j.tablet.rowset.ColumnFile;
import dev.kudu4j.tablet.rowset.RowSetKeyCursor;
import dev.kudu4j.tablet.superblock.NamedFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Prints the rows of a rowset with everything on disk about them: their base data and rewritten
 * columns, earlier states (UNDO), and later changes (REDO).
 */
public final class RowSetDump {
  private final RowSetFiles files;
  private final Schema schema;
  private final BufferAllocator allocator;
  private final Appendable out;
  private final Map<Integer, ColumnSchema> columnsById = new HashMap<>();

  private RowSetDump(RowSetFiles files, Schema schema, BufferAllocator allocator, Appendable out) {
    this.files = files;
    this.schema = schema;
    this.allocator = allocator;
    this.out = out;
    for (ColumnSchema column : schema.columns()) {
      columnsById.put(column.id(), column);
    }
  }

  /** The parts of a rowset to print. */
  public record Wanted(long maxRows, boolean files, boolean allColumns) {}

  /**
   * Prints the rowset: its files, then its first rows.
   *
   * @param schema the tablet's current schema
   */
  public static void print(
      TabletEnvironment environment, RowSetPB rowSet, Schema schema, Wanted wanted, Appendable out)
      throws IOException {
    TabletEnvironment uncached = environment.uncached();
    if (wanted.files()) {
      printFiles(rowSet, out);
    }
    try (OpenFiles open = new OpenFiles()) {
      RowSetFiles files = open.all(uncached, rowSet);
      RowSetDump dump = new RowSetDump(files, schema, environment.allocator(), out);
      dump.printRows(Math.min(wanted.maxRows(), files.base().rowCount()), wanted.allColumns());
    }
  }

  private static void printFiles(RowSetPB rowSet, Appendable out) throws IOException {
    out.append(
        String.format(
            Locale.ROOT,
            "rowset %d: rows %d, live %d, insert timestamps %d to %d, keys from %s to %s%n",
            rowSet.getId(),
            rowSet.getRowCount(),
            rowSet.getLiveRowCount(),
            rowSet.getMinInsertTimestamp(),
            rowSet.getMaxInsertTimestamp(),
            Hex.of(rowSet.getMinKey().toByteArray()),
            Hex.of(rowSet.getMaxKey().toByteArray())));
    for (NamedFile file : NamedFile.of(rowSet)) {
      out.append(
          String.format(Locale.ROOT, "  %s: %s, %d%n", file.name(), file.role(), file.count()));
    }
  }

  /** The open files of a rowset. Closing them also works if opening failed after some files. */
  private static final class OpenFiles implements AutoCloseable {
    private final List<Runnable> releases = new ArrayList<>();

    RowSetFiles all(TabletEnvironment environment, RowSetPB rowSet) throws IOException {
      @Nullable BaseData base = null;
      List<ColumnFile> columns = new ArrayList<>();
      List<DeltaFile> undo = new ArrayList<>();
      List<DeltaFile> redo = new ArrayList<>();
      for (NamedFile file : NamedFile.of(rowSet)) {
        Path path = environment.directory().resolve(file.name());
        switch (file.role()) {
          case BASE -> {
            base = BaseData.open(environment, path);
            releases.add(base::release);
          }
          case COLUMNS -> {
            ColumnFile opened = ColumnFile.open(environment, path);
            releases.add(opened::release);
            columns.add(opened);
          }
          case UNDO, REDO -> {
            DeltaFile opened = DeltaFile.open(environment, path);
            releases.add(opened::release);
            (file.role() == NamedFile.Role.UNDO ? undo : redo).add(opened);
          }
          case INDEX -> {} // its cells are those of the other files
          case STAGED -> throw new IllegalStateException("Not a file of a rowset: " + path);
        }
      }
      return new RowSetFiles(
          Objects.requireNonNull(base, "a rowset has base data"), columns, undo, redo, List.of());
    }

    @Override
    public void close() {
      releases.forEach(Runnable::run);
    }
  }

  /** Iterates over the changes of one file in step with the rows. */
  private final class Changes implements AutoCloseable {
    private final String kind;
    private final DeltaFile.Cursor cursor;
    private boolean more;

    Changes(DeltaFile file) throws IOException {
      this.kind = file.kind().toString();
      this.cursor = file.openCursor();
      this.more = cursor.next();
    }

    void print(long ordinal) throws IOException {
      for (; more && cursor.ordinal() == ordinal; more = cursor.next()) {
        out.append(
            String.format(
                Locale.ROOT,
                "  %s at %d.%d: %s%n",
                kind,
                cursor.timestamp(),
                cursor.sequence(),
                ChangeFormatter.of(cursor.changeAddress(), cursor.changeLength(), columnsById)));
      }
    }

    @Override
    public void close() {
      cursor.close();
    }
  }

  private void printRows(long rows, boolean allColumns) throws IOException {
    List<ColumnReader> readers = new ArrayList<>();
    List<Changes> changes = new ArrayList<>();
    try (RowSetKeyCursor keys = files.base().openKeys()) {
      for (ColumnSchema column : schema.columns()) {
        ColumnReader reader = allColumns ? files.openColumn(column.id()) : null;
        if (reader != null) {
          readers.add(reader);
        }
      }
      for (DeltaFile file : files.undoFiles()) {
        changes.add(new Changes(file));
      }
      for (DeltaFile file : files.redoFiles()) {
        changes.add(new Changes(file));
      }
      long[] inserted = new long[1];
      for (long ordinal = 0; ordinal < rows && keys.next(); ordinal++) {
        files.base().readInsertTimestamps(ordinal, 1, inserted);
        printRow(keys, inserted[0], readers);
        for (Changes each : changes) {
          each.print(ordinal);
        }
      }
    } finally {
      readers.forEach(ColumnReader::close);
      changes.forEach(Changes::close);
    }
  }

  private void printRow(RowSetKeyCursor keys, long inserted, List<ColumnReader> readers)
      throws IOException {
    StringBuilder text = new StringBuilder();
    text.append("row ").append(keys.ordinal()).append(": key ");
    text.append(Hex.of(Arrays.copyOf(keys.keyArray(), keys.keyLength())));
    text.append(", inserted ").append(inserted);
    for (ColumnReader reader : readers) {
      text.append(", ").append(ColumnFileDump.cell(reader, keys.ordinal(), allocator));
    }
    out.append(text).append('\n');
  }
}

package dev.kudu4j.tablet.check;

import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.cfile.ColumnIndex;
import dev.kudu4j.tablet.env.ReadableFile;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.file.SealedFile;
import dev.kudu4j.tablet.proto.RowSetPB;
import dev.kudu4j.tablet.rowset.BaseDataFooter;
import dev.kudu4j.tablet.rowset.ColumnFile;
import dev.kudu4j.tablet.rowset.KeyIndex;
import dev.kudu4j.tablet.superblock.NamedFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Sums the bytes of a rowset's files by purpose. Reads footers only. The sums add up to the total
 * size of the files.
 */
public final class RowSetSizes {
  private final TabletEnvironment environment;
  private final Map<Integer, ColumnSchema> present = new LinkedHashMap<>();
  private final Map<Label, Long> bytes = new LinkedHashMap<>();
  private final Set<Integer> writtenAnew = new HashSet<>();

  /** The purpose and the column of the bytes that are summed. */
  private record Label(SizeEntry.Kind kind, String column) {}

  private RowSetSizes(TabletEnvironment environment, Schema schema) {
    this.environment = environment;
    for (ColumnSchema column : schema.columns()) {
      present.put(column.id(), column);
      bytes.put(new Label(SizeEntry.Kind.COLUMN, name(column)), 0L);
    }
  }

  /**
   * The nonzero sizes, columns first and in the schema's order.
   *
   * @param schema the tablet's current schema
   */
  public static List<SizeEntry> of(TabletEnvironment environment, RowSetPB rowSet, Schema schema)
      throws IOException {
    RowSetSizes sizes = new RowSetSizes(environment.uncached(), schema);
    List<NamedFile> files = NamedFile.of(rowSet);
    // Newest first: reads use the newest file that contains a column.
    for (int i = files.size() - 1; i >= 0; i--) {
      sizes.add(files.get(i));
    }
    List<SizeEntry> entries = new ArrayList<>();
    sizes.bytes.forEach(
        (label, sum) -> {
          if (sum > 0) {
            entries.add(new SizeEntry(label.kind, label.column, sum));
          }
        });
    entries.sort((a, b) -> a.kind().compareTo(b.kind()));
    return entries;
  }

  private void add(NamedFile file) throws IOException {
    Path path = environment.directory().resolve(file.name());
    switch (file.role()) {
      case BASE -> addBase(path);
      case COLUMNS -> addColumns(path);
      case UNDO -> add(SizeEntry.Kind.UNDO, "", size(path));
      case REDO -> add(SizeEntry.Kind.REDO, "", size(path));
      case INDEX -> add(SizeEntry.Kind.INDEX, "", size(path));
      case STAGED -> throw new IllegalStateException("Not a file of a rowset: " + file.name());
    }
  }

  private void addBase(Path path) throws IOException {
    try (SealedFile file =
        SealedFile.open(environment, environment.allocator(), path, NamedFile.Role.BASE.kind())) {
      BaseDataFooter footer = BaseDataFooter.of(file);
      footer.columns().forEach(this::addColumn);
      add(SizeEntry.Kind.INSERT_TIMESTAMPS, "", pageBytes(footer.insertTimestamps()));
      KeyIndex keys = footer.keys();
      for (int page = 0; page < keys.pageCount(); page++) {
        add(SizeEntry.Kind.KEY_INDEX, "", keys.location(page).bytes());
      }
      for (int chunk = 0; chunk < keys.chunkCount(); chunk++) {
        add(SizeEntry.Kind.BLOOM, "", keys.chunkLocation(chunk).bytes());
      }
      addFrame(file);
    }
  }

  private void addColumns(Path path) throws IOException {
    ColumnFile file = ColumnFile.open(environment, path);
    try {
      file.columns().forEach(this::addColumn);
      addFrame(file.sealedFile());
    } finally {
      file.release();
    }
  }

  private void addColumn(ColumnIndex index) {
    ColumnSchema column = present.get(index.column().id());
    boolean read = writtenAnew.add(index.column().id()) && column != null;
    add(
        read ? SizeEntry.Kind.COLUMN : SizeEntry.Kind.DEAD_COLUMN,
        name(column == null ? index.column() : column),
        pageBytes(index));
  }

  private void addFrame(SealedFile file) {
    add(SizeEntry.Kind.FRAME, "", file.blocksOffset() + file.fileBytes() - file.footerOffset());
  }

  private static long pageBytes(ColumnIndex index) {
    long sum = 0;
    for (int page = 0; page < index.pageCount(); page++) {
      sum += index.location(page).bytes();
    }
    return sum;
  }

  private static String name(ColumnSchema column) {
    return "c%d (%s)".formatted(column.id(), column.name());
  }

  private void add(SizeEntry.Kind kind, String column, long more) {
    bytes.merge(new Label(kind, column), more, Long::sum);
  }

  private long size(Path path) throws IOException {
    try (ReadableFile file = environment.files().open(path)) {
      return file.size();
    }
  }
}

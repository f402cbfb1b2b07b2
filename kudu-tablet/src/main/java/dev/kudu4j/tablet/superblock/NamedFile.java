package dev.kudu4j.tablet.superblock;

import dev.kudu4j.tablet.file.FileKind;
import dev.kudu4j.tablet.proto.DeltaFilePB;
import dev.kudu4j.tablet.proto.IndexFilePB;
import dev.kudu4j.tablet.proto.RowSetPB;
import dev.kudu4j.tablet.proto.SuperblockPB;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A data file that a superblock references, and its role.
 *
 * @param rowSetId the rowset of the file; {@link #NO_ROW_SET} for staged rows
 * @param name the name of the file in the tablet's directory
 * @param count the rows in base data, rewritten columns or an index, or the changes in a delta
 *     file; 0 for staged rows, which the superblock does not count
 */
public record NamedFile(long rowSetId, String name, Role role, long count) {
  /** Stands for the rowset of a file that belongs to none. */
  public static final long NO_ROW_SET = -1;

  /** The pattern of data file names; it excludes paths that leave the directory. */
  private static final Pattern FORM =
      Pattern.compile(
          "rowset-[0-9]{10,19}(-[0-9]{10,19})?\\.(base|columns|undo|redo|index)"
              + "|staged-[0-9]{10,19}\\.rows");

  /** The role of a file. */
  public enum Role {
    BASE("base data", FileKind.BASE_DATA),
    COLUMNS("columns", FileKind.COLUMNS),
    UNDO("UNDO deltas", FileKind.DELTA),
    REDO("REDO deltas", FileKind.DELTA),
    INDEX("index", FileKind.INDEX),
    STAGED("staged rows", FileKind.STAGED_ROWS);

    private final String text;
    private final FileKind kind;

    Role(String text, FileKind kind) {
      this.text = text;
      this.kind = kind;
    }

    /** The kind in the header of a file with this role. */
    public FileKind kind() {
      return kind;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  /** Whether the name is valid for a data file. */
  public static boolean isValidName(String name) {
    return FORM.matcher(name).matches();
  }

  /**
   * All files of all rowsets; for each rowset base data, columns, UNDO and REDO, oldest first, and
   * indexes; then the files of staged rows.
   */
  public static List<NamedFile> of(SuperblockPB superblock) {
    List<NamedFile> files = new ArrayList<>();
    superblock.getRowSetsList().forEach(rowSet -> files.addAll(of(rowSet)));
    files.addAll(staged(superblock));
    return files;
  }

  /** The files of staged rows, oldest first. */
  public static List<NamedFile> staged(SuperblockPB superblock) {
    return superblock.getStagedFilesList().stream()
        .map(name -> new NamedFile(NO_ROW_SET, name, Role.STAGED, 0))
        .toList();
  }

  /** All files of one rowset: base data, columns, UNDO and REDO, oldest first, and indexes. */
  public static List<NamedFile> of(RowSetPB rowSet) {
    List<NamedFile> files = new ArrayList<>();
    long id = rowSet.getId();
    files.add(new NamedFile(id, rowSet.getBaseFile(), Role.BASE, rowSet.getRowCount()));
    rowSet
        .getColumnFilesList()
        .forEach(
            file ->
                files.add(new NamedFile(id, file.getFile(), Role.COLUMNS, rowSet.getRowCount())));
    for (DeltaFilePB undo : rowSet.getUndoFilesList()) {
      files.add(new NamedFile(id, undo.getFile(), Role.UNDO, undo.getCount()));
    }
    for (DeltaFilePB redo : rowSet.getRedoFilesList()) {
      files.add(new NamedFile(id, redo.getFile(), Role.REDO, redo.getCount()));
    }
    for (IndexFilePB index : rowSet.getIndexFilesList()) {
      files.add(new NamedFile(id, index.getFile(), Role.INDEX, rowSet.getRowCount()));
    }
    return files;
  }
}

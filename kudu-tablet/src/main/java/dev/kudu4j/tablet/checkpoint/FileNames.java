package dev.kudu4j.tablet.checkpoint;

import java.util.Locale;

/** Names of a tablet's data files. A rowset id or file id is never reused. */
public final class FileNames {
  private static final String PREFIX = "rowset-";
  private static final String BASE = ".base";
  private static final String REDO = ".redo";
  private static final String UNDO = ".undo";
  private static final String COLUMNS = ".columns";
  private static final String INDEX = ".index";
  private static final String STAGED_PREFIX = "staged-";
  private static final String STAGED = ".rows";

  private FileNames() {}

  public static String base(long rowSetId) {
    return String.format(Locale.ROOT, "%s%010d%s", PREFIX, rowSetId, BASE);
  }

  public static String redo(long rowSetId, long fileId) {
    return ofRowSet(rowSetId, fileId, REDO);
  }

  public static String undo(long rowSetId, long fileId) {
    return ofRowSet(rowSetId, fileId, UNDO);
  }

  public static String columns(long rowSetId, long fileId) {
    return ofRowSet(rowSetId, fileId, COLUMNS);
  }

  public static String index(long rowSetId, long fileId) {
    return ofRowSet(rowSetId, fileId, INDEX);
  }

  public static String staged(long fileId) {
    return String.format(Locale.ROOT, "%s%010d%s", STAGED_PREFIX, fileId, STAGED);
  }

  private static String ofRowSet(long rowSetId, long fileId, String ending) {
    return String.format(Locale.ROOT, "%s%010d-%010d%s", PREFIX, rowSetId, fileId, ending);
  }

  /** Whether a file with this name may be deleted if the superblock does not reference it. */
  static boolean isOurs(String name) {
    boolean data =
        name.startsWith(PREFIX)
            && (name.endsWith(BASE)
                || name.endsWith(REDO)
                || name.endsWith(UNDO)
                || name.endsWith(COLUMNS)
                || name.endsWith(INDEX));
    boolean staged = name.startsWith(STAGED_PREFIX) && name.endsWith(STAGED);
    return data || staged || name.equals("superblock.tmp");
  }
}

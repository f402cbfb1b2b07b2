package dev.kudu4j.tablet.check;

/**
 * The number of bytes in a rowset's files that serve one purpose.
 *
 * @param column the column's name and id; empty if the bytes belong to no column
 */
public record SizeEntry(Kind kind, String column, long bytes) {
  /** The purpose of bytes. */
  public enum Kind {
    /** Cells of a column, in base data or rewritten, that reads use. */
    COLUMN("column"),
    /** Cells that reads no longer use, because the column was dropped or rewritten. */
    DEAD_COLUMN("column, dead"),
    INSERT_TIMESTAMPS("insert timestamps"),
    KEY_INDEX("key index"),
    BLOOM("Bloom filter"),
    UNDO("UNDO"),
    REDO("REDO"),
    INDEX("index"),
    /** Headers, footers with the page indexes, trailers. */
    FRAME("frame");

    private final String text;

    Kind(String text) {
      this.text = text;
    }

    @Override
    public String toString() {
      return text;
    }
  }
}

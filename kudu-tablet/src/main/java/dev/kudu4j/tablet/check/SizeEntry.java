package dev.kudu4j.tablet.check;

/**
 * What some bytes of a rowset are for.
 *
 * @param column the column's name and id; empty for what is no column's
 */
public record SizeEntry(Kind kind, String column, long bytes) {
  /** What bytes are for. */
  public enum Kind {
    /** Cells of a column, in base data or written anew, that reads use. */
    COLUMN("column"),
    /** Cells that nobody reads any more: of a dropped column, or written anew since. */
    DEAD_COLUMN("column, dead"),
    INSERT_TIMESTAMPS("insert timestamps"),
    KEY_INDEX("key index"),
    BLOOM("Bloom filter"),
    UNDO("UNDO"),
    REDO("REDO"),
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

package dev.kudu4j.tablet.memrowset;

/** Static accessors of a row in a {@link MemRowSet} by its address. */
public final class MemRow {
  private MemRow() {}

  public static long insertTimestamp(long row) {
    throw new UnsupportedOperationException("stub");
  }

  /** The newest {@link dev.kudu4j.tablet.delta.Mutation}, or 0; a volatile read. */
  public static long newestMutation(long row) {
    throw new UnsupportedOperationException("stub");
  }

  /** Index of the row's {@link RowFormat} in its MemRowSet. */
  public static int layout(long row) {
    throw new UnsupportedOperationException("stub");
  }

  public static long keyAddress(long row) {
    throw new UnsupportedOperationException("stub");
  }

  public static int keyLength(long row) {
    throw new UnsupportedOperationException("stub");
  }
}

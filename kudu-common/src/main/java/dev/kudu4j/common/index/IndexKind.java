package dev.kudu4j.common.index;

import dev.kudu4j.common.status.KuduException;

/**
 * Where the rows of an index are. Numbers are stored on disk and sent on the wire, so they are
 * never reused.
 */
public enum IndexKind {
  /** In each tablet of the table, beside the tablet's own rows. */
  LOCAL(0),
  /** In tablets of their own, which are sorted by the indexed columns. */
  GLOBAL(1),
  /**
   * Values of a unique index, in tablets of their own, which writers of the table claim before they
   * write.
   */
  CLAIMED(2);

  private final int number;

  IndexKind(int number) {
    this.number = number;
  }

  public int number() {
    return number;
  }

  /**
   * The kind with a number.
   *
   * @throws KuduException INVALID_ARGUMENT for an unknown one
   */
  public static IndexKind ofNumber(int number) {
    for (IndexKind kind : values()) {
      if (kind.number == number) {
        return kind;
      }
    }
    throw KuduException.invalidArgument("Unknown kind of index: %d", number);
  }
}

package dev.kudu4j.master.catalog;

import dev.kudu4j.common.status.KuduException;

/**
 * The kind of thing that an entry of the catalog describes. The number is the first column of its
 * key and never changes.
 */
public enum EntryKind {
  CLUSTER(1),
  TABLE(2),
  TABLET(3),
  TABLET_SERVER(4);

  private final int number;

  EntryKind(int number) {
    this.number = number;
  }

  public byte number() {
    return (byte) number;
  }

  /**
   * @throws KuduException NOT_SUPPORTED for an unknown number, which a later version wrote
   */
  public static EntryKind ofNumber(int number) {
    for (EntryKind kind : values()) {
      if (kind.number == number) {
        return kind;
      }
    }
    throw KuduException.notSupported(
        "The catalog holds an entry of kind %d; it was written by a later version", number);
  }
}

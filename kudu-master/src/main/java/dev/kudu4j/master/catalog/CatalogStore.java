package dev.kudu4j.master.catalog;

import com.google.protobuf.ByteString;
import java.util.List;

/**
 * Where the records of the catalog last.
 *
 * <p>A batch is written in its order and is all or nothing, unless it is larger than what the store
 * can write at once: then a crash may leave any prefix of it. Callers therefore put the change that
 * makes the others count last.
 *
 * <p>One caller at a time.
 */
public interface CatalogStore {
  /** Tells all entries, in no promised order. */
  void load(EntryVisitor visitor);

  /**
   * Writes a batch durably; it has happened when this returns.
   *
   * @throws dev.kudu4j.common.status.KuduException when it has not happened, or is not known to
   *     have: the caller must load again before it trusts what it has in memory
   */
  void write(List<Change> batch);

  /** Sees an entry. */
  @FunctionalInterface
  interface EntryVisitor {
    void entry(EntryKind kind, String id, ByteString record);
  }

  /** A record put in place of whatever was there, or with a null record the removal of an entry. */
  record Change(EntryKind kind, String id, ByteString record) {
    public static Change put(EntryKind kind, String id, ByteString record) {
      return new Change(kind, id, record);
    }

    public static Change remove(EntryKind kind, String id) {
      return new Change(kind, id, null);
    }

    public boolean isRemoval() {
      return record == null;
    }
  }
}

package dev.kudu4j.master.catalog;

import com.google.protobuf.ByteString;
import java.util.List;

/**
 * The durable storage of the catalog's records.
 *
 * <p>A batch is written atomically, unless it exceeds the limit of one write: then its changes are
 * written in order, and a crash may leave any prefix of them. Callers therefore put the change that
 * makes all others take effect at the end of the batch.
 *
 * <p>Not thread-safe: one caller at a time.
 */
public interface CatalogStore {
  /** Passes all entries to the visitor, in no particular order. */
  void load(EntryVisitor visitor);

  /**
   * Writes a batch; when this returns, the batch is durable.
   *
   * @throws dev.kudu4j.common.status.KuduException when the batch was not written or the outcome is
   *     unknown: the caller must then load the catalog again, since its copy in memory may be wrong
   */
  void write(List<Change> batch);

  /** Receives the entries of the catalog. */
  @FunctionalInterface
  interface EntryVisitor {
    void entry(EntryKind kind, String id, ByteString record);
  }

  /** Puts a record in place of the entry's present one, if any; a null record removes the entry. */
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

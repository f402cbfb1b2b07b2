package dev.kudu4j.master.catalog;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.status.KuduException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A store whose entries survive the "crashes" of masters, and that can fail in the middle of a
 * batch: changes before the failure are kept.
 */
public final class InMemoryCatalogStore implements CatalogStore {
  private record Key(EntryKind kind, String id) {}

  private final Map<Key, ByteString> entries = new LinkedHashMap<>();
  private int changesUntilFailure = -1;
  private int writes;

  /** Makes the next write fail after that many of its changes. */
  public void failAfterChanges(int count) {
    changesUntilFailure = count;
  }

  public void heal() {
    changesUntilFailure = -1;
  }

  public int writes() {
    return writes;
  }

  public int entryCount() {
    return entries.size();
  }

  @Override
  public void load(EntryVisitor visitor) {
    entries.forEach((key, record) -> visitor.entry(key.kind(), key.id(), record));
  }

  @Override
  public void write(List<Change> batch) {
    writes++;
    int made = 0;
    for (Change change : batch) {
      if (made == changesUntilFailure) {
        break;
      }
      made++;
      Key key = new Key(change.kind(), change.id());
      if (change.isRemoval()) {
        entries.remove(key);
      } else {
        entries.put(key, change.record());
      }
    }
    if (changesUntilFailure >= 0) {
      changesUntilFailure = -1;
      throw KuduException.timedOut("the store did not answer");
    }
  }
}

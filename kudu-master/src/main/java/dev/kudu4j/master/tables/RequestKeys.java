package dev.kudu4j.master.tables;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.master.catalog.Catalog;
import dev.kudu4j.master.proto.catalog.TableEntryPB;
import java.util.Optional;

/**
 * Recognises requests that have been carried out already, by the keys that clients give them. The
 * key is stored in the same atomic write as the change, so this master and its successors recognise
 * a repeated request if and only if it has taken effect.
 *
 * <p>Each table's record has the keys of its last few requests. That suffices, since a client
 * repeats a request within its timeout and rarely sends many others for the same table in between.
 */
final class RequestKeys {
  private static final int KEPT = 8;
  private static final int LONGEST = 64;

  private RequestKeys() {}

  /**
   * The id of the table that the request with this key has changed; empty if it has not been
   * carried out.
   */
  static Optional<String> find(Catalog catalog, ByteString key) {
    if (key.size() > LONGEST) {
      throw KuduException.invalidArgument(
          "a request_key has at most %d bytes, not %d", LONGEST, key.size());
    }
    return key.isEmpty() ? Optional.empty() : Optional.ofNullable(catalog.tableOfRequest(key));
  }

  /** Adds the key of the request to the record that the request changes. */
  static TableEntryPB note(TableEntryPB entry, ByteString key) {
    if (key.isEmpty()) {
      return entry;
    }
    TableEntryPB.Builder noted = entry.toBuilder().clearRequestKeys();
    int count = entry.getRequestKeysCount();
    entry.getRequestKeysList().stream()
        .skip(Math.max(0, count - (KEPT - 1)))
        .forEach(noted::addRequestKeys);
    return noted.addRequestKeys(key).build();
  }
}

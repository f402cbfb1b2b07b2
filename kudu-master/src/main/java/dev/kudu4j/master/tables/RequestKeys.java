package dev.kudu4j.master.tables;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.master.catalog.Catalog;
import dev.kudu4j.master.proto.catalog.TableEntryPB;
import java.util.Optional;

/**
 * Which requests have been carried out, by the keys that their clients gave them. A key is written
 * in one piece with what the request changed, so a request that comes again, to this master or to
 * its successor, is known for done exactly when it is.
 *
 * <p>A table remembers its last few requests: a client repeats a request within its time-out, and
 * hardly sends many others for the same table meanwhile.
 */
final class RequestKeys {
  private static final int KEPT = 8;
  private static final int LONGEST = 64;

  private RequestKeys() {}

  /** The table that the request has changed, if it has been carried out. */
  static Optional<String> find(Catalog catalog, ByteString key) {
    if (key.size() > LONGEST) {
      throw KuduException.invalidArgument(
          "a request_key has at most %d bytes, not %d", LONGEST, key.size());
    }
    return key.isEmpty() ? Optional.empty() : Optional.ofNullable(catalog.tableOfRequest(key));
  }

  /** Notes the request with what it changes. */
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

package dev.kudu4j.master.catalog;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.masters.CopyCatalogRequestPB;
import dev.kudu4j.common.proto.masters.CopyCatalogResponsePB;
import dev.kudu4j.common.row.RowOperationsWriter;
import dev.kudu4j.master.catalog.CatalogStore.Change;
import dev.kudu4j.tablet.Tablet;
import dev.kudu4j.tablet.log.LogEntry;
import dev.kudu4j.tablet.log.LogPosition;
import dev.kudu4j.tablet.log.WriteRequest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A copy of the catalog for another master: the entries, and a log position up to which they
 * include all ops.
 *
 * <p>The position is read first. Then the entries are read, in several steps if there are many,
 * while writes continue. So an entry may be newer than the position. This is harmless: the receiver
 * replays the log from the position on, each log entry replaces whole entries of the catalog, and
 * in the end every entry has the content of its last write.
 */
final class CatalogCopy {
  private CatalogCopy() {}

  /** One step of a copy: the response without the members of the group, which the caller adds. */
  static CopyCatalogResponsePB.Builder take(
      CopyCatalogRequestPB request, Tablet tablet, ReplicatedCatalogStore store, long maxBytes) {
    long timestamp = tablet.maxTimestamp(); // read first, so it is not later than the position
    LogPosition position = tablet.applied();
    CopyCatalogResponsePB.Builder copy =
        CopyCatalogResponsePB.newBuilder()
            .setTimestamp(timestamp)
            .setTerm(position.term())
            .setIndex(position.index());
    tablet
        .descriptor()
        .attributes()
        .forEach((name, value) -> copy.putAttributes(name, ByteString.copyFrom(value)));
    boolean more =
        store.scan(
            after(request),
            maxBytes,
            (kind, id, record) ->
                copy.addEntries(
                    CopyCatalogResponsePB.EntryPB.newBuilder()
                        .setKind(kind.number())
                        .setId(id)
                        .setRecord(record)));
    return copy.setMore(more);
  }

  private static byte[] after(CopyCatalogRequestPB request) {
    return request.hasAfterKind()
        ? CatalogRows.behind(
            EntryKind.ofNumber((byte) request.getAfterKind()), request.getAfterId())
        : null;
  }

  static Map<String, byte[]> attributes(CopyCatalogResponsePB copy) {
    Map<String, byte[]> attributes = new HashMap<>();
    copy.getAttributesMap().forEach((name, value) -> attributes.put(name, value.toByteArray()));
    return attributes;
  }

  /**
   * Writes a complete copy to an empty tablet, as if its log had ended at the position of the copy.
   */
  static void install(CopyCatalogResponsePB copy, Tablet tablet) {
    RowOperationsWriter rows = new RowOperationsWriter(CatalogRows.LAYOUT);
    CatalogRows.appendNothing(rows); // a log entry needs at least one row
    for (CopyCatalogResponsePB.EntryPB entry : copy.getEntriesList()) {
      EntryKind kind = EntryKind.ofNumber((byte) entry.getKind());
      CatalogRows.append(Change.put(kind, entry.getId(), entry.getRecord()), 0, rows);
    }
    byte[] entry = LogEntry.encodeWrite(List.of(request(rows)));
    LogEntry.patchTimestamp(entry, copy.getTimestamp());
    LogPosition position = new LogPosition(copy.getTerm(), copy.getIndex());
    tablet.apply(position, LogEntry.decode(entry, 0, entry.length));
  }

  private static WriteRequest request(RowOperationsWriter rows) {
    return new WriteRequest(null, 0, new int[] {0, 1, 2, 3}, rows.packed());
  }
}

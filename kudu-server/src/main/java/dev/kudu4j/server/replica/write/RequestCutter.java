package dev.kudu4j.server.replica.write;

import dev.kudu4j.common.row.RowOperationsSplitter;
import dev.kudu4j.tablet.log.WriteRequest;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts large requests at row borders. Every leader must cut a request at the same rows
 * (docs/design/log-entry.md, Pieces).
 */
final class RequestCutter {
  private static final int REQUEST_OVERHEAD_BYTES = 256;
  private static final int COLUMN_OVERHEAD_BYTES = 16;

  private final int maxEntryBytes;

  /**
   * @param maxEntryBytes the most bytes of requests in an entry
   */
  RequestCutter(int maxEntryBytes) {
    this.maxEntryBytes = maxEntryBytes;
  }

  /** The pieces of a request, each of which fits into an entry. */
  List<PendingRequest.Piece> cut(PendingRequest request, WriteSubmission s) {
    int overhead = overhead(s);
    int room = maxEntryBytes - overhead;
    if (s.expandedBytes() <= room) {
      WriteRequest whole =
          new WriteRequest(
              s.id(), s.transaction(), 0, 1, s.schemaVersion(), s.columnIds(), s.rows());
      return List.of(
          new PendingRequest.Piece(request, whole, 0, (int) s.expandedBytes() + overhead));
    }
    List<RowOperationsSplitter.Piece> parts = RowOperationsSplitter.split(s.rows(), room);
    List<PendingRequest.Piece> pieces = new ArrayList<>(parts.size());
    for (RowOperationsSplitter.Piece part : parts) {
      WriteRequest content =
          new WriteRequest(
              s.id(),
              s.transaction(),
              pieces.size(),
              parts.size(),
              s.schemaVersion(),
              s.columnIds(),
              part.rows());
      pieces.add(
          new PendingRequest.Piece(
              request, content, part.firstRow(), part.expandedBytes() + overhead));
    }
    return pieces;
  }

  private static int overhead(WriteSubmission s) {
    int client = s.id() == null ? 0 : 3 * s.id().clientId().length();
    return REQUEST_OVERHEAD_BYTES + client + COLUMN_OVERHEAD_BYTES * s.columnIds().length;
  }
}

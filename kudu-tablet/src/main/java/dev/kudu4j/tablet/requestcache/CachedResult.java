package dev.kudu4j.tablet.requestcache;

import dev.kudu4j.tablet.log.RequestResult;
import dev.kudu4j.tablet.log.RequestResult.OutcomeCounts;
import dev.kudu4j.tablet.log.RowFailure;
import dev.kudu4j.tablet.log.RowFailureList;
import java.util.List;

/**
 * The result of the pieces of one request that have been applied so far. Immutable.
 *
 * @param sequence the number that the client gave the request
 * @param pieces the number of pieces of the request
 * @param piecesApplied equals {@code pieces} when complete
 * @param rowCount rows of the applied pieces
 * @param result the combined result of the applied pieces; row numbers count from the start of the
 *     request
 */
record CachedResult(
    long sequence, int pieces, int piecesApplied, int rowCount, RequestResult result) {
  /** The result of a request before any piece is applied. */
  static CachedResult none(long sequence, int pieces) {
    return new CachedResult(
        sequence, pieces, 0, 0, new RequestResult(0, RowFailureList.EMPTY, OutcomeCounts.NONE));
  }

  boolean isComplete() {
    return piecesApplied == pieces;
  }

  /** This result combined with the result of the next piece. */
  CachedResult plus(int piece, RequestResult next, int nextRowCount) {
    RowFailureList errors = errors(next.errors());
    RequestResult merged =
        new RequestResult(next.timestamp(), errors, sum(result.counts(), next.counts()));
    return new CachedResult(sequence, pieces, piece + 1, rowCount + nextRowCount, merged);
  }

  private RowFailureList errors(List<RowFailure> more) {
    if (more.isEmpty() || rowCount == 0) {
      return RowFailureList.of(more.isEmpty() ? result.errors() : more);
    }
    return RowFailureList.builder().addAll(0, result.errors()).addAll(rowCount, more).build();
  }

  /**
   * The same result with {@code instead} as its errors, which state that the original errors are no
   * longer known.
   */
  CachedResult withoutErrors(RowFailureList instead) {
    return new CachedResult(
        sequence,
        pieces,
        piecesApplied,
        rowCount,
        new RequestResult(result.timestamp(), instead, result.counts()));
  }

  private static OutcomeCounts sum(OutcomeCounts a, OutcomeCounts b) {
    return new OutcomeCounts(
        a.successfulInserts() + b.successfulInserts(),
        a.insertIgnoreErrors() + b.insertIgnoreErrors(),
        a.successfulUpserts() + b.successfulUpserts(),
        a.upsertIgnoreErrors() + b.upsertIgnoreErrors(),
        a.successfulUpdates() + b.successfulUpdates(),
        a.updateIgnoreErrors() + b.updateIgnoreErrors(),
        a.successfulDeletes() + b.successfulDeletes(),
        a.deleteIgnoreErrors() + b.deleteIgnoreErrors());
  }
}

package dev.kudu4j.tablet.answers;

import dev.kudu4j.tablet.log.RequestResult;
import dev.kudu4j.tablet.log.RequestResult.OutcomeCounts;
import dev.kudu4j.tablet.log.RowError;
import java.util.ArrayList;
import java.util.List;

/**
 * What is known of one request: the answer of the pieces applied so far. Immutable.
 *
 * @param sequence the client's number for it
 * @param pieces how many it was cut into
 * @param piecesApplied all of them when it is complete
 * @param rowCount rows of the pieces applied
 * @param result rows numbered over the whole request
 */
record Answer(long sequence, int pieces, int piecesApplied, int rowCount, RequestResult result) {
  /** The answer of a request of which nothing was applied. */
  static Answer none(long sequence, int pieces) {
    return new Answer(sequence, pieces, 0, 0, new RequestResult(0, List.of(), OutcomeCounts.NONE));
  }

  boolean isComplete() {
    return piecesApplied == pieces;
  }

  /** This answer and that of the next piece. */
  Answer plus(int piece, RequestResult next, int nextRowCount) {
    List<RowError> errors = result.errors();
    if (!next.errors().isEmpty()) {
      errors = new ArrayList<>(errors);
      for (RowError error : next.errors()) {
        errors.add(new RowError(rowCount + error.row(), error.code(), error.message()));
      }
    }
    RequestResult merged =
        new RequestResult(
            next.timestamp(), List.copyOf(errors), sum(result.counts(), next.counts()));
    return new Answer(sequence, pieces, piece + 1, rowCount + nextRowCount, merged);
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

package dev.kudu4j.tablet.apply;

import dev.kudu4j.common.row.OperationType;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.tablet.log.RequestResult;
import dev.kudu4j.tablet.log.RequestResult.OutcomeCounts;
import dev.kudu4j.tablet.log.RowError;
import java.util.ArrayList;
import java.util.List;

/**
 * Counts rows of a request by outcome and collects the errors. One object, used again and again.
 */
final class Outcomes {
  private int inserts;
  private int insertsIgnored;
  private int upserts;
  private int upsertsIgnored;
  private int updates;
  private int updatesIgnored;
  private int deletes;
  private int deletesIgnored;
  private List<RowError> errors = List.of();

  void begin() {
    inserts = 0;
    insertsIgnored = 0;
    upserts = 0;
    upsertsIgnored = 0;
    updates = 0;
    updatesIgnored = 0;
    deletes = 0;
    deletesIgnored = 0;
    errors = List.of();
  }

  void succeeded(OperationType type) {
    switch (type) {
      case INSERT, INSERT_IGNORE -> inserts++;
      case UPSERT, UPSERT_IGNORE -> upserts++;
      case UPDATE, UPDATE_IGNORE -> updates++;
      case DELETE, DELETE_IGNORE -> deletes++;
      default -> throw new IllegalStateException("Not a write: " + type);
    }
  }

  /** A row, or some of its cells, was passed over as its type asks. */
  void ignored(OperationType type) {
    switch (type) {
      case INSERT_IGNORE -> insertsIgnored++;
      case UPSERT_IGNORE -> upsertsIgnored++;
      case UPDATE_IGNORE -> updatesIgnored++;
      case DELETE_IGNORE -> deletesIgnored++;
      default -> throw new IllegalStateException("Ignores nothing: " + type);
    }
  }

  void failed(int row, StatusCode code, String message) {
    if (errors.isEmpty()) {
      errors = new ArrayList<>();
    }
    errors.add(new RowError(row, code, message));
  }

  RequestResult result(long timestamp) {
    OutcomeCounts counts =
        new OutcomeCounts(
            inserts,
            insertsIgnored,
            upserts,
            upsertsIgnored,
            updates,
            updatesIgnored,
            deletes,
            deletesIgnored);
    return new RequestResult(timestamp, List.copyOf(errors), counts);
  }
}

package dev.kudu4j.itest.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.Operation;
import dev.kudu4j.client.OperationResponse;
import dev.kudu4j.client.RowError;
import dev.kudu4j.client.RowErrorsAndOverflowStatus;
import dev.kudu4j.client.SessionConfiguration.FlushMode;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Sessions: when rows are sent, and how errors are reported. */
abstract class SessionCases extends ClientCase {
  @Test
  void aNewSessionFlushesEachRow() throws Exception {
    KuduTable table = createWith();
    KuduSession session = client.newSession();
    assertThat(session.getFlushMode()).isEqualTo(FlushMode.AUTO_FLUSH_SYNC);
    assertThat(session.apply(op(table.newInsert(), "k", 1)).hasRowError()).isFalse();
    OperationResponse again = session.apply(op(table.newInsert(), "k", 1));
    assertThat(again.hasRowError()).isTrue();
    assertThat(again.getRowError().getErrorStatus().isAlreadyPresent()).isTrue();
    assertThat(scan(table)).hasSize(1);
    assertThat(session.hasPendingOperations()).isFalse();
    session.close();
  }

  @Test
  void aManualSessionKeepsItsRowsUntilFlush() throws Exception {
    KuduTable table = createWith();
    KuduSession session = session(FlushMode.MANUAL_FLUSH);
    assertThat(session.apply(op(table.newInsert(), "k", 1))).isNull();
    assertThat(session.hasPendingOperations()).isTrue();
    assertThat(scan(table)).isEmpty();
    assertThat(outcomes(session.flush())).containsExactly("ok");
    assertThat(session.hasPendingOperations()).isFalse();
    assertThat(scan(table)).hasSize(1);
    assertThat(session.flush()).isEmpty();
    session.close();
  }

  @Test
  void aManualSessionRejectsRowsBeyondItsBuffer() throws Exception {
    KuduTable table = createWith();
    KuduSession session = session(FlushMode.MANUAL_FLUSH);
    session.setMutationBufferSpace(3);
    for (int k = 0; k < 3; k++) {
      session.apply(op(table.newInsert(), "k", k));
    }
    refused(
        () -> session.apply(op(table.newInsert(), "k", 3)),
        "Illegal state",
        "MANUAL_FLUSH is enabled but the buffer is too big");
    session.flush();
    assertThat(scan(table)).hasSize(3);
    session.close();
  }

  @Test
  void aBackgroundSessionCollectsItsErrors() throws Exception {
    KuduTable table = createWith(new int[] {1, 1});
    KuduSession session = session(FlushMode.AUTO_FLUSH_BACKGROUND);
    for (int k = 0; k < 5; k++) {
      assertThat(session.apply(op(table.newInsert(), "k", k))).isNull();
    }
    session.flush();
    assertThat(session.countPendingErrors()).isEqualTo(1);
    RowErrorsAndOverflowStatus errors = session.getPendingErrors();
    assertThat(errors.isOverflowed()).isFalse();
    assertThat(errors.getRowErrors())
        .singleElement()
        .satisfies(
            error -> {
              assertThat(error.getErrorStatus().isAlreadyPresent()).isTrue();
              assertThat(error.getOperation().getRow().getInt("k")).isEqualTo(1);
            });
    assertThat(session.countPendingErrors()).isZero();
    assertThat(scan(table)).hasSize(5);
    session.close();
  }

  @Test
  void aBackgroundSessionFlushesByItself() throws Exception {
    KuduTable table = createWith();
    KuduSession session = session(FlushMode.AUTO_FLUSH_BACKGROUND);
    session.setFlushInterval(50);
    session.apply(op(table.newInsert(), "k", 1));
    eventually("the row has been sent") // read once: the row may arrive between two scans
        .until(() -> drain(client.newScannerBuilder(table).build()).size() == 1);
    eventually("the session knows").until(() -> !session.hasPendingOperations());
    session.close();
  }

  @Test
  void aBackgroundSessionAcceptsMoreThanItsBuffer() throws Exception {
    KuduTable table = create(keyAndValue(), twoTablets());
    KuduSession session = session(FlushMode.AUTO_FLUSH_BACKGROUND);
    session.setMutationBufferSpace(50);
    for (int[] row : rows(0, 2_000)) {
      session.apply(op(table.newInsert(), "k", row[0], "v", row[1]));
    }
    session.flush();
    assertThat(session.countPendingErrors()).isZero();
    session.close();
    assertThat(scan(table)).hasSize(2_000);
  }

  @Test
  void theErrorCollectorOverflows() throws Exception {
    KuduTable table = createWith(rows(0, 10));
    KuduSession session = session(FlushMode.AUTO_FLUSH_BACKGROUND);
    session.setErrorCollectorSpace(3);
    for (int k = 0; k < 10; k++) {
      session.apply(op(table.newInsert(), "k", k));
    }
    session.flush();
    RowErrorsAndOverflowStatus errors = session.getPendingErrors();
    assertThat(errors.isOverflowed()).isTrue();
    assertThat(errors.getRowErrors()).hasSize(3);
    session.close();
  }

  @Test
  void closingASessionFlushesIt() throws Exception {
    KuduTable table = createWith();
    for (FlushMode mode : List.of(FlushMode.MANUAL_FLUSH, FlushMode.AUTO_FLUSH_BACKGROUND)) {
      KuduSession session = session(mode);
      session.apply(op(table.newInsert(), "k", mode.ordinal()));
      assertThat(session.isClosed()).isFalse();
      session.close();
      assertThat(session.isClosed()).isTrue();
    }
    assertThat(scan(table)).hasSize(2);
  }

  @Test
  void aSessionMayBeClosedTwice() throws Exception {
    createWith();
    for (FlushMode mode : FlushMode.values()) {
      KuduSession session = session(mode);
      assertThat(session.close()).isEmpty();
      assertThat(session.isClosed()).isTrue();
      assertThat(session.close()).isEmpty();
    }
  }

  @Test
  void theFlushModeCannotChangeWhileRowsArePending() throws Exception {
    KuduTable table = createWith();
    KuduSession session = session(FlushMode.MANUAL_FLUSH);
    session.apply(op(table.newInsert(), "k", 1));
    rejected(() -> session.setFlushMode(FlushMode.AUTO_FLUSH_SYNC), "Cannot change flush mode");
    rejected(() -> session.setMutationBufferSpace(10), "Cannot change the buffer");
    session.flush();
    session.setFlushMode(FlushMode.AUTO_FLUSH_SYNC);
    assertThat(session.getFlushMode()).isEqualTo(FlushMode.AUTO_FLUSH_SYNC);
    session.close();
  }

  @Test
  void duplicateKeysCanBeIgnored() throws Exception {
    KuduTable table = createWith(new int[] {1, 1});
    KuduSession session = client.newSession();
    assertThat(session.isIgnoreAllDuplicateRows()).isFalse();
    session.setIgnoreAllDuplicateRows(true);
    for (FlushMode mode : List.of(FlushMode.AUTO_FLUSH_SYNC, FlushMode.MANUAL_FLUSH)) {
      session.setFlushMode(mode);
      OperationResponse response = session.apply(op(table.newInsert(), "k", 1, "v", 9));
      if (mode == FlushMode.AUTO_FLUSH_SYNC) {
        assertThat(response.hasRowError()).isFalse();
      }
      assertThat(session.flush()).noneMatch(OperationResponse::hasRowError);
    }
    assertThat(scan(table)).containsExactly("1 1");
    session.close();
  }

  @Test
  void absentKeysCanBeIgnored() throws Exception {
    KuduTable table = createWith(new int[] {1, 1});
    KuduSession session = session(FlushMode.MANUAL_FLUSH);
    session.setIgnoreAllNotFoundRows(true);
    session.apply(op(table.newDelete(), "k", 7));
    session.apply(op(table.newUpdate(), "k", 8, "v", 1));
    assertThat(session.flush()).noneMatch(OperationResponse::hasRowError);
    session.close();
    assertThat(scan(table)).containsExactly("1 1");
  }

  @Test
  void errorsContainTheirOperation() throws Exception {
    KuduTable table = createWith(rows(0, 4));
    KuduSession session = session(FlushMode.MANUAL_FLUSH);
    Operation wrong = op(table.newInsert(), "k", 2);
    session.apply(op(table.newInsert(), "k", 10));
    session.apply(wrong);
    List<RowError> errors = OperationResponse.collectErrors(session.flush());
    assertThat(errors).hasSize(1);
    assertThat(errors.get(0).getOperation()).isSameAs(wrong);
    assertThat(errors.get(0).getErrorStatus().isAlreadyPresent()).isTrue();
    assertThat(errors.get(0).getTsUUID()).hasSize(32);
    assertThat(errors.get(0).toString()).contains("key already present");
    session.close();
  }

  @Test
  void responsesHaveTheOrderOfTheOperations() throws Exception {
    KuduTable table = create(keyAndValue(), options().addHashPartitions(List.of("k"), 3));
    insert(table, new int[] {5, 5}, new int[] {11, 11});
    KuduSession session = session(FlushMode.MANUAL_FLUSH);
    for (int k = 0; k < 20; k++) {
      session.apply(op(table.newInsert(), "k", k));
    }
    List<String> outcomes = outcomes(session.flush());
    session.close();
    for (int k = 0; k < 20; k++) {
      assertThat(outcomes.get(k))
          .as("row %d", k)
          .startsWith(k == 5 || k == 11 ? "Already present" : "ok");
    }
  }

  @Test
  void sessionsDoNotShareRows() throws Exception {
    KuduTable table = createWith();
    KuduSession one = session(FlushMode.MANUAL_FLUSH);
    KuduSession two = session(FlushMode.MANUAL_FLUSH);
    one.apply(op(table.newInsert(), "k", 1));
    two.apply(op(table.newInsert(), "k", 2));
    one.flush();
    assertThat(keys(table)).containsExactly("1");
    assertThat(two.hasPendingOperations()).isTrue();
    two.close();
    one.close();
    assertThat(keys(table)).containsExactlyInAnyOrder("1", "2");
  }

  @Test
  void oneSessionMayWriteSeveralTables() throws Exception {
    KuduTable one = client.createTable(tableName + "_one", keyAndValue(), oneTablet());
    KuduTable two = client.createTable(tableName + "_two", keyAndValue(), oneTablet());
    KuduSession session = session(FlushMode.MANUAL_FLUSH);
    session.apply(op(one.newInsert(), "k", 1));
    session.apply(op(two.newInsert(), "k", 2));
    session.apply(op(one.newInsert(), "k", 3));
    assertThat(outcomes(session.flush())).containsExactly("ok", "ok", "ok");
    session.close();
    assertThat(keys(one)).containsExactlyInAnyOrder("1", "3");
    assertThat(keys(two)).containsExactly("2");
  }
}

package dev.kudu4j.server.replica.write;

import static dev.kudu4j.common.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.common.row.OperationType;
import dev.kudu4j.common.row.RowLayout;
import dev.kudu4j.common.row.RowOperationsWriter;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.server.replica.write.QueuedStep.Turn.Answer;
import dev.kudu4j.tablet.log.LogEntry;
import dev.kudu4j.tablet.log.RequestResult;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** A queue without Raft: the test takes the submitted entries and decides their outcome. */
class WriteQueueTest {
  private static final RowLayout LAYOUT =
      new RowLayout(List.of(DataType.INT64, DataType.STRING), new boolean[] {false, true});
  private static final int MAX_ENTRY_BYTES = 128 << 10;
  private static final int PIPELINE_BYTES = 64 << 10;

  private final List<PendingEntry> submitted = new CopyOnWriteArrayList<>();
  private volatile boolean mayLog = true;
  private final AtomicLong nanoTime = new AtomicLong();
  private final WriteAdmission admission = new WriteAdmission(64 << 20);
  private final WriteQueue queue =
      new WriteQueue(
          "tablet",
          new WriteQueue.Limits(MAX_ENTRY_BYTES, 8 << 20, PIPELINE_BYTES),
          admission,
          Runnable::run,
          nanoTime::get,
          () -> mayLog,
          submitted::add);

  private CompletableFuture<RequestResult> write(long deadlineNanos, int rows, int textBytes) {
    RowOperationsWriter writer = new RowOperationsWriter(LAYOUT);
    for (int i = 0; i < rows; i++) {
      writer.begin(OperationType.INSERT).setLong(0, i).setString(1, "x".repeat(textBytes)).end();
    }
    CompletableFuture<RequestResult> answer = new CompletableFuture<>();
    queue.add(
        new WriteSubmission(
            null, 0, new int[] {0, 1}, writer.packed(), deadlineNanos, WriteSubmission.ANY_TERM),
        null,
        answer);
    return answer;
  }

  private CompletableFuture<RequestResult> write(int rows, int textBytes) {
    return write(WriteSubmission.NO_DEADLINE, rows, textBytes);
  }

  private static List<RequestResult> results(PendingEntry entry) {
    return entry.pieces.stream()
        .map(
            piece ->
                new RequestResult(
                    1, List.of(), new RequestResult.OutcomeCounts(1, 0, 0, 0, 0, 0, 0, 0)))
        .toList();
  }

  private void assertEmpty() {
    assertThat(queue.admittedBytes()).isZero();
    assertThat(admission.usedBytes()).isZero();
    assertThat(admission.expectedBytes()).isZero();
    assertThat(queue.counters().writesUnderWay()).isZero();
  }

  @Test
  void requestsThatWaitShareTheNextEntry() {
    List<CompletableFuture<RequestResult>> answers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      answers.add(write(1, 10));
    }
    assertThat(submitted).hasSize(1);
    submitted.get(0).applied(results(submitted.get(0)));
    assertThat(submitted).hasSize(2);
    assertThat(submitted.get(1).pieces).hasSize(2);
    submitted.get(1).applied(results(submitted.get(1)));
    assertThat(answers).allMatch(CompletableFuture::isDone);
    assertEmpty();
  }

  @Test
  void piecesOfALargeRequestAreLoggedInOrder() {
    CompletableFuture<RequestResult> answer = write(40, 20 << 10);
    List<Integer> firstRows = new ArrayList<>();
    for (int i = 0; i < submitted.size(); i++) {
      assertThat(submitted.size() - i).as("entries under way").isLessThanOrEqualTo(2);
      submitted.get(i).pieces.forEach(piece -> firstRows.add(piece.firstRow()));
      assertThat(answer).isNotDone();
      submitted.get(i).applied(results(submitted.get(i)));
    }
    assertThat(firstRows).hasSizeGreaterThan(5).isSorted().startsWith(0);
    assertThat(answer).isCompleted();
    assertEmpty();
  }

  @Test
  void everyEndOfARequestReleasesItsBytes() {
    CompletableFuture<RequestResult> failed = write(1, 10);
    CompletableFuture<RequestResult> expired = write(1_000, 1, 10);
    nanoTime.set(1_000);
    submitted.get(0).failed(KuduException.illegalState("no longer the leader"));
    assertThat(failed).isCompletedExceptionally();
    assertThat(expired).isCompletedExceptionally();
    assertThat(queue.counters().timedOutCount()).isEqualTo(1);
    CompletableFuture<RequestResult> large = write(40, 20 << 10);
    queue.close(KuduException.serviceUnavailable("stopped"));
    for (int i = 1; i < submitted.size(); i++) {
      submitted.get(i).failed(KuduException.serviceUnavailable("stopped"));
    }
    assertThat(large).isCompletedExceptionally();
    assertThatThrownBy(() -> write(1, 10))
        .isInstanceOfSatisfying(
            KuduException.class,
            e -> assertThat(e.code()).isEqualTo(StatusCode.SERVICE_UNAVAILABLE));
    assertEmpty();
  }

  @Test
  void anEntryThatEndsTwiceIsDetected() {
    write(1, 10);
    PendingEntry entry = submitted.get(0);
    entry.applied(results(entry));
    assertThatThrownBy(() -> queue.failed(entry, KuduException.illegalState("again")))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("-1 entries are under way");
  }

  // Writes that meet transactions.

  private static final long HOLDER = 5;

  private static RequestResult blocked() {
    return RequestResult.blocked(1, HOLDER);
  }

  private CompletableFuture<RequestResult> step() {
    return step(QueuedStep.Turn.NOW, true);
  }

  private CompletableFuture<RequestResult> step(QueuedStep.Turn turn, boolean first) {
    CompletableFuture<RequestResult> answer = new CompletableFuture<>();
    queue.addStep(new QueuedStep(LogEntry.encodeAbort(1), turn, first), answer);
    return answer;
  }

  private PendingEntry last() {
    return submitted.get(submitted.size() - 1);
  }

  private static List<Integer> pieces(PendingEntry entry) {
    return entry.pieces.stream().map(piece -> piece.content().piece()).toList();
  }

  @Test
  void aStepGoesBeforeWritesAndWhileTheyMayNotBeLogged() {
    mayLog = false;
    CompletableFuture<RequestResult> write = write(1, 10);
    assertThat(submitted).isEmpty();
    CompletableFuture<RequestResult> step = step();
    await("the queue's timer may have submitted it").until(() -> submitted.size() == 1);
    mayLog = true;
    last().applied(results(last()));
    assertThat(step).isCompleted();
    await().until(() -> submitted.size() == 2);
    last().applied(results(last()));
    assertThat(write).isCompleted();
    assertEmpty();
  }

  @Test
  void aStepWaitsForItsTurnWithoutAnEntry() {
    AtomicReference<Answer> turn = new AtomicReference<>(Answer.WAIT);
    CompletableFuture<RequestResult> waits = step(turn::get, true);
    CompletableFuture<RequestResult> goes = step();
    assertThat(submitted).as("a step that waits keeps no other one").hasSize(1);
    last().applied(results(last()));
    assertThat(goes).isCompleted();
    assertThat(waits).isNotDone();
    turn.set(Answer.LOG);
    await("the queue looks at it again").until(() -> submitted.size() == 2);
    last().applied(results(last()));
    assertThat(waits).isCompleted();
    assertEmpty();
  }

  @Test
  void aStepWhoseTurnHasPassedIsRefusedWithoutAnEntry() {
    CompletableFuture<RequestResult> step = step(() -> Answer.REFUSE, false);
    assertThatThrownBy(step::join)
        .cause()
        .isInstanceOfSatisfying(
            KuduException.class,
            e -> assertThat(e.code()).isEqualTo(StatusCode.SERVICE_UNAVAILABLE));
    assertThat(submitted).isEmpty();
    assertEmpty();
  }

  @Test
  void stepsOfPreparedTransactionsGoFirst() {
    write(1, 10);
    write(1, PIPELINE_BYTES);
    assertThat(submitted).hasSize(2);
    step(QueuedStep.Turn.NOW, false);
    CompletableFuture<RequestResult> first = step();
    submitted.get(0).applied(results(submitted.get(0)));
    last().applied(results(last()));
    assertThat(first).isCompleted();
    for (int i = 1; i < submitted.size(); i++) {
      submitted.get(i).applied(results(submitted.get(i)));
    }
    assertEmpty();
  }

  @Test
  void aStepThatHoldsUpNobodyIsLoggedAgain() {
    CompletableFuture<RequestResult> step = step(QueuedStep.Turn.NOW, false);
    last().notValid();
    assertThat(step).isNotDone();
    assertThat(submitted).hasSize(2);
    last().applied(results(last()));
    assertThat(step).isCompleted();
    assertEmpty();
  }

  @Test
  void closingFailsStepsThatWait() {
    CompletableFuture<RequestResult> step = step(() -> Answer.WAIT, false);
    queue.close(KuduException.serviceUnavailable("stopped"));
    assertThat(step).isCompletedExceptionally();
    assertEmpty();
  }

  @Test
  void anEntryThatWasNotValidIsLoggedAgain() {
    CompletableFuture<RequestResult> first = write(1, 10);
    CompletableFuture<RequestResult> second = write(1, 10);
    last().notValid();
    assertThat(first).isNotDone();
    assertThat(last().pieces).hasSize(2);
    last().applied(results(last()));
    assertThat(first).isCompleted();
    assertThat(second).isCompleted();
    CompletableFuture<RequestResult> step = step();
    last().notValid();
    assertThat(step).isCompletedExceptionally();
    assertEmpty();
  }

  @Test
  void blockedRequestsAreLoggedAgainInTheirOrder() {
    CompletableFuture<RequestResult> first = write(1, 10);
    CompletableFuture<RequestResult> second = write(1, 10);
    last().applied(List.of(blocked()));
    last().applied(List.of(blocked()));
    assertThat(submitted).hasSize(2);
    queue.transactionEnded(HOLDER + 1);
    assertThat(submitted).hasSize(2);
    queue.transactionEnded(HOLDER);
    assertThat(submitted).hasSize(3);
    assertThat(last().pieces)
        .extracting(piece -> piece.request().answer)
        .containsExactly(first, second);
    last().applied(results(last()));
    assertEmpty();
  }

  /** The later piece was put back before the result of the first one is known. */
  @Test
  void anEarlierPieceIsBlockedAfterALaterOneWasPutBack() {
    CompletableFuture<RequestResult> answer = write(12, 20 << 10);
    assertThat(submitted).hasSize(2);
    PendingEntry first = submitted.get(0);
    assertThat(pieces(first)).containsExactly(0);
    submitted.get(1).notValid();
    assertThat(submitted).as("the first piece is under way").hasSize(2);
    first.applied(List.of(blocked()));
    assertThat(submitted).hasSize(2);
    queue.transactionEnded(HOLDER);
    assertThat(pieces(submitted.get(2))).containsExactly(0);
    for (int i = 2; i < submitted.size(); i++) {
      submitted.get(i).applied(results(submitted.get(i)));
    }
    assertThat(answer).isCompleted();
    assertThat(answer.join().counts().successfulInserts()).isEqualTo(submitted.size() - 2);
    assertEmpty();
  }

  @Test
  void anEarlierPieceCountsAfterALaterOneWasPutBack() {
    CompletableFuture<RequestResult> answer = write(12, 20 << 10);
    submitted.get(1).notValid();
    submitted.get(0).applied(results(submitted.get(0)));
    for (int i = 2; i < submitted.size(); i++) {
      assertThat(pieces(submitted.get(i))).doesNotContain(0);
      submitted.get(i).applied(results(submitted.get(i)));
    }
    assertThat(answer).isCompleted();
    assertThat(answer.join().counts().successfulInserts()).isEqualTo(submitted.size() - 1);
    assertEmpty();
  }

  @Test
  void closingFailsBlockedRequests() {
    CompletableFuture<RequestResult> before = write(1, 10);
    CompletableFuture<RequestResult> after = write(1, 10);
    submitted.get(0).applied(List.of(blocked()));
    queue.close(KuduException.serviceUnavailable("stopped"));
    submitted.get(1).applied(List.of(blocked()));
    assertThat(before).isCompletedExceptionally();
    assertThat(after).isCompletedExceptionally();
    assertEmpty();
  }
}

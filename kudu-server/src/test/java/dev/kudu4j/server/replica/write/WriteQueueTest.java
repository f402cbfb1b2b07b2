package dev.kudu4j.server.replica.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.common.row.OperationType;
import dev.kudu4j.common.row.RowLayout;
import dev.kudu4j.common.row.RowOperationsWriter;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.tablet.log.RequestResult;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A queue without Raft: the test takes the submitted entries and decides their outcome. */
class WriteQueueTest {
  private static final RowLayout LAYOUT =
      new RowLayout(List.of(DataType.INT64, DataType.STRING), new boolean[] {false, true});
  private static final int MAX_ENTRY_BYTES = 128 << 10;
  private static final int PIPELINE_BYTES = 64 << 10;

  private final List<PendingEntry> submitted = new ArrayList<>();
  private boolean mayLog = true;
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
}

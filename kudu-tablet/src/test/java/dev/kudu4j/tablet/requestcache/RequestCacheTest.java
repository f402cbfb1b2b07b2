package dev.kudu4j.tablet.requestcache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.row.RowLayout;
import dev.kudu4j.common.row.RowOperations;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.common.time.HybridTime;
import dev.kudu4j.tablet.log.RequestId;
import dev.kudu4j.tablet.log.RequestResult;
import dev.kudu4j.tablet.log.RequestResult.OutcomeCounts;
import dev.kudu4j.tablet.log.RowFailure;
import dev.kudu4j.tablet.log.RowFailureList;
import dev.kudu4j.tablet.log.WriteRequest;
import dev.kudu4j.tablet.proto.ClientAnswersPB;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class RequestCacheTest {
  private static final long SECOND = HybridTime.ofMicros(1_000_000);

  private final RequestCacheMemory memory = new RequestCacheMemory(1 << 20);
  private RequestCache requests = new RequestCache(memory);

  private static WriteRequest request(String client, long sequence, long firstIncomplete) {
    return piece(client, sequence, firstIncomplete, 0, 1);
  }

  private static WriteRequest piece(
      String client, long sequence, long firstIncomplete, int piece, int pieces) {
    return new WriteRequest(
        new RequestId(client, sequence, firstIncomplete),
        piece,
        pieces,
        1,
        new int[0],
        RowOperations.of(new RowLayout(List.of(), new boolean[0]), new byte[0], new byte[0]));
  }

  private static RequestId id(WriteRequest request) {
    return Objects.requireNonNull(request.id());
  }

  private static RequestResult result(long timestamp, RowFailure... errors) {
    return new RequestResult(timestamp, List.of(errors), new OutcomeCounts(1, 2, 3, 4, 5, 6, 7, 8));
  }

  /** Applies a request as the write path does; returns false if the request must not be applied. */
  private boolean apply(WriteRequest request, long timestamp) {
    if (requests.arrive(request, timestamp) != null || requests.isStale(id(request))) {
      return false;
    }
    requests.remember(request, result(timestamp), 1);
    return true;
  }

  /** Reloads the cache as a restart does. */
  private void reload() {
    List<ClientAnswersPB> messages = requests.toMessages();
    requests.close();
    assertThat(memory.usedBytes()).isZero();
    requests = RequestCache.of(messages, memory);
  }

  @Test
  void resultsSurviveASuperblock() {
    WriteRequest request = request("a", 1, 1);
    RequestResult first = result(10, new RowFailure(3, StatusCode.NOT_FOUND, "key not found"));
    assertThat(requests.arrive(request, 10)).isNull();
    assertThat(requests.remember(request, first, 5)).isEqualTo(first);
    reload();
    assertThat(requests.arrive(request, 20)).isEqualTo(first);
    assertThat(requests.complete(id(request))).isEqualTo(first);
    assertThat(requests.complete(new RequestId("b", 1, 1))).isNull();
  }

  @Test
  void resultsAreRemovedWhenTheClientHasThem() {
    apply(request("a", 1, 1), 10);
    apply(request("a", 2, 1), 11);
    assertThat(requests.complete(new RequestId("a", 1, 1))).isNotNull();
    apply(request("a", 3, 2), 12);
    assertThat(requests.complete(new RequestId("a", 1, 1))).isNull();
    assertThat(requests.complete(new RequestId("a", 2, 1))).isNotNull();
    reload();
    assertThat(apply(request("a", 1, 1), 13)).isFalse();
    assertThat(requests.isStale(new RequestId("a", 1, 1))).isTrue();
  }

  @Test
  void requestsMayArriveOutOfOrder() {
    assertThat(apply(request("a", 5, 2), 10)).isTrue();
    assertThat(apply(request("a", 3, 2), 11)).isTrue();
    assertThat(apply(request("a", 2, 2), 12)).isTrue();
    assertThat(apply(request("a", 3, 2), 13)).isFalse();
  }

  @Test
  void oldResultsExpireByLogTimeAndTheirRequestsAreNotAppliedAgain() {
    apply(request("a", 1, 1), SECOND);
    apply(request("a", 2, 1), 600 * SECOND);
    assertThat(requests.complete(new RequestId("a", 1, 1))).isNotNull();
    apply(request("a", 3, 1), 602 * SECOND);
    assertThat(requests.complete(new RequestId("a", 1, 1))).isNull();
    assertThat(requests.complete(new RequestId("a", 2, 1))).isNotNull();
    assertThat(apply(request("a", 1, 1), 603 * SECOND)).isFalse();
  }

  @Test
  void silentClientsAreForgotten() {
    apply(request("a", 1, 1), SECOND);
    apply(request("b", 1, 1), 2 * SECOND);
    reload();
    apply(request("c", 1, 1), 3602 * SECOND);
    assertThat(requests.toMessages())
        .extracting(message -> message.getClientId())
        .containsExactly("b", "c");
  }

  @Test
  void theNumberOfResultsIsLimited() {
    for (int i = 0; i < 2 * RequestCache.MAX_RESULTS_PER_CLIENT; i++) {
      apply(request("a", i, 0), i + 1);
    }
    assertThat(requests.toMessages().get(0).getAnswersCount())
        .isLessThanOrEqualTo(RequestCache.MAX_RESULTS_PER_CLIENT + 1);
    assertThat(apply(request("a", 0, 0), 1_000_000)).isFalse();
    for (int i = 0; i < 2 * RequestCache.MAX_CLIENTS; i++) {
      apply(request("client " + i, 1, 1), 2_000_000 + i);
    }
    assertThat(requests.toMessages()).hasSize(RequestCache.MAX_CLIENTS);
  }

  @Test
  void piecesHaveOneMergedResult() {
    WriteRequest first = piece("a", 1, 1, 0, 2);
    WriteRequest second = piece("a", 1, 1, 1, 2);
    requests.arrive(first, 10);
    requests.remember(first, result(10, new RowFailure(1, StatusCode.NOT_FOUND, "x")), 4);
    reload();
    assertThat(requests.complete(id(first))).isNull();
    assertThat(requests.arrive(first, 11)).isNotNull();
    assertThat(requests.arrive(second, 12)).isNull();
    RequestResult merged =
        requests.remember(second, result(12, new RowFailure(0, StatusCode.NOT_FOUND, "y")), 4);
    assertThat(merged.errors()).extracting(RowFailure::row).containsExactly(1, 4);
    assertThat(merged.counts().deleteIgnoreErrors()).isEqualTo(16);
    assertThat(merged.timestamp()).isEqualTo(12);
    assertThat(requests.complete(id(first))).isEqualTo(merged);
  }

  private void applyWithErrors(WriteRequest request, long timestamp, int rows) {
    assertThat(requests.arrive(request, timestamp)).isNull();
    RowFailureList.Builder errors = RowFailureList.builder();
    for (int row = 0; row < rows; row += 2) {
      errors.add(row, StatusCode.NOT_FOUND, "key not found");
    }
    requests.remember(
        request, new RequestResult(timestamp, errors.build(), OutcomeCounts.NONE), rows);
  }

  @Test
  void errorsBeyondTheMemoryAreDroppedAndTheRequestIsNotAppliedAgain() {
    int rows = 200_000; // 300,000 bytes each
    for (int i = 0; i < 10; i++) {
      applyWithErrors(request("client " + i, 1, 1), 10 + i, rows);
    }
    assertThat(memory.usedBytes()).isLessThan((1 << 20) + 10_000);
    RequestResult newest =
        Objects.requireNonNull(requests.complete(new RequestId("client 9", 1, 1)));
    assertThat(newest.errors()).hasSize(rows / 2);
    assertThat(newest.errors().get(0).code()).isEqualTo(StatusCode.NOT_FOUND);
    RequestResult eldest = Objects.requireNonNull(requests.arrive(request("client 0", 1, 1), 30));
    assertThat(eldest.errors()).hasSize(rows);
    assertThat(eldest.errors().get(0).code()).isEqualTo(StatusCode.RUNTIME_ERROR);
    assertThat(eldest.errors().get(0).message()).contains("is no longer known");
    reload();
    assertThat(requests.arrive(request("client 0", 1, 1), 31)).isEqualTo(eldest);
    assertThat(requests.complete(new RequestId("client 9", 1, 1))).isEqualTo(newest);
  }

  @Test
  void resultsOfAllClientsAreBounded() {
    int clients = 40;
    int each = 2 * RequestCache.MAX_RESULTS / clients;
    for (int i = 0; i < each; i++) {
      for (int client = 0; client < clients; client++) {
        apply(request("client " + client, i, 0), 1 + (long) i * clients + client);
      }
    }
    int answers =
        requests.toMessages().stream().mapToInt(message -> message.getAnswersCount()).sum();
    assertThat(answers).isBetween(RequestCache.MAX_RESULTS / 2, RequestCache.MAX_RESULTS + 1);
    assertThat(apply(request("client 0", 0, 0), 10_000_000)).isFalse();
    assertThat(requests.isStale(new RequestId("client 0", 0, 0))).isTrue();
    assertThat(requests.complete(new RequestId("client 39", each - 1, 0))).isNotNull();
    reload();
  }
}

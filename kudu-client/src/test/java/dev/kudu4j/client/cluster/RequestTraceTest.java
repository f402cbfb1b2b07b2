package dev.kudu4j.client.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import org.junit.jupiter.api.Test;

/** The message of a request that missed its deadline. */
class RequestTraceTest {
  private final RequestTrace trace = new RequestTrace("Write to tablet t of table texts (id)");

  private void fails(String server, String reason) {
    trace.trying(server);
    trace.failed(server, KuduException.of(StatusCode.NETWORK_ERROR, "%s", reason));
  }

  @Test
  void theMessageContainsEveryAttempt() {
    fails("a:1", "connection lost");
    fails("b:2", "refused");
    fails("a:1", "connection lost");
    trace.trying("c:3");

    KuduException failure = trace.timedOut();

    assertThat(failure.code()).isEqualTo(StatusCode.TIMED_OUT);
    assertThat(failure.getMessage().replaceAll("\\d+ ms", "N ms").replaceAll("at \\d+", "at N"))
        .isEqualTo(
            "Write to tablet t of table texts (id) got no result within N ms, its time-out, in 4"
                + " tries: 2 x, at N to N ms: Network error: connection lost [a:1]; at N ms:"
                + " Network error: refused [b:2]; no response yet from c:3, asked at N ms");
  }

  @Test
  void theMessageStaysShort() {
    for (int i = 0; i < 1_000; i++) {
      fails("a:1", "failure number " + i);
    }
    assertThat(trace.timedOut().getMessage())
        .contains("in 1000 tries")
        .contains("984 other failures")
        .hasSizeLessThan(2_000);
  }

  @Test
  void theMessageWithoutAnyServerIsComplete() {
    trace.trying(null);
    assertThat(trace.timedOut()).hasMessageContaining("in 1 try: no response yet from any server");
  }
}

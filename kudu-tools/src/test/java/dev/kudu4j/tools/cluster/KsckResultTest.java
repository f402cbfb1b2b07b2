package dev.kudu4j.tools.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class KsckResultTest {
  private static ServerState server(ServerHealth health, String error, String role) {
    return new ServerState("a", "a:1", health, error, "", role, "", Map.of(), Map.of());
  }

  @Test
  void aServerWithFailingReportsIsUnhealthyAlthoughItResponds() {
    ServerState server =
        server(ServerHealth.REPORTS_FAIL, "its tablet reports are not complete: 'x'", "");
    assertThat(server.hasAnswered()).isTrue();
    assertThat(server.isHealthy()).isFalse();
    KsckResult result =
        new KsckResult(
            new ClusterSurvey(
                List.of(server(ServerHealth.HEALTHY, "", "LEADER")),
                Map.of("a", server),
                List.of(),
                "a"),
            List.of(),
            List.of(),
            -1);
    assertThat(result.isHealthy()).isFalse();
    assertThat(result.errors()).containsExactly("1 of 1 tablet servers are not healthy");
    assertThat(result.nextSteps())
        .anyMatch(
            step ->
                step.startsWith(
                    "Tablet server a (a:1) responds, but its tablet reports are not complete:"
                        + " 'x'"));
  }
}

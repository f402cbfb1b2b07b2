package dev.kudu4j.server.replica;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LeadershipProofTest {
  private final LeadershipProof proof = new LeadershipProof("a");

  @Test
  void needsAMajorityIncludingTheLeader() {
    List<Set<String>> voters = List.of(Set.of("a", "b", "c", "d", "e"));
    assertThat(proof.confirm("b", 1, 100, voters)).isZero();
    assertThat(proof.confirm("c", 1, 90, voters)).isEqualTo(90);
    assertThat(proof.confirm("d", 1, 110, voters)).isEqualTo(100);
  }

  @Test
  void needsBothMajoritiesWhileTheVotersChange() {
    List<Set<String>> changing = List.of(Set.of("a", "b", "d"), Set.of("a", "b", "c"));
    assertThat(proof.confirm("c", 1, 100, changing)).isZero();
    assertThat(proof.confirm("d", 1, 90, changing)).isEqualTo(90);
    List<Set<String>> growing = List.of(Set.of("a", "b"), Set.of("a"));
    assertThat(proof.confirm("c", 1, 200, growing)).isZero();
    assertThat(proof.confirm("b", 1, 150, growing)).isEqualTo(150);
  }

  @Test
  void leaderWithoutAVoteCountsForNothing() {
    List<Set<String>> leaving = List.of(Set.of("b", "c"), Set.of("a", "b", "c"));
    assertThat(proof.confirm("b", 1, 100, leaving)).isZero();
    assertThat(proof.confirm("c", 1, 90, leaving)).isEqualTo(90);
  }

  @Test
  void listenersAndOlderTermsConfirmNothing() {
    List<Set<String>> voters = List.of(Set.of("a", "b", "c"));
    assertThat(proof.confirm("listener", 1, 100, voters)).isZero();
    assertThat(proof.confirm("b", 2, 100, voters)).isEqualTo(100);
    assertThat(proof.confirm("c", 1, 200, voters)).isZero();
    assertThat(proof.confirm("c", 3, 50, voters)).isEqualTo(50);
  }
}

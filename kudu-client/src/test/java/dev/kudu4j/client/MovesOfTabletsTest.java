package dev.kudu4j.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.client.ReplicaMove.Reason;
import dev.kudu4j.client.ReplicaMove.State;
import java.util.List;
import org.junit.jupiter.api.Test;

class MovesOfTabletsTest {
  private final MovesOfTablets moves = new MovesOfTablets();

  private static ReplicaMove move(String tablet, String to) {
    return new ReplicaMove(tablet, "id", "t", "a:1", to, Reason.TABLE, State.IN_PROGRESS);
  }

  @Test
  void aMoveThatIsNotReportedAnyMoreHasEnded() {
    moves.update(List.of(move("x", "b:1"), move("y", "c:1")), List.of());
    moves.update(List.of(move("z", "b:1")), List.of(move("y", "c:1")));
    assertThat(moves.moves())
        .containsExactly(move("x", "b:1").ended(), move("y", "c:1"), move("z", "b:1"));
    assertThat(moves.anyInProgress()).isTrue();
    moves.update(List.of(), List.of());
    assertThat(moves.anyInProgress()).isFalse();
    assertThat(moves.moves()).extracting(ReplicaMove::state).containsOnly(State.ENDED);
  }

  @Test
  void aMoveWhoseBeginningWasNotReportedIsListed() {
    moves.update(List.of(), List.of(move("x", "b:1")));
    moves.update(List.of(), List.of(move("x", "b:1")));
    assertThat(moves.moves()).containsExactly(move("x", "b:1"));
    assertThat(moves.movedTooOften()).isEmpty();
  }

  @Test
  void aTabletThatWasMovedTooOftenIsExcluded() {
    moves.update(List.of(move("x", "b:1"), move("y", "b:1")), List.of());
    moves.update(List.of(move("x", "b:1")), List.of(move("y", "b:1")));
    assertThat(moves.movedTooOften()).isEmpty();
    moves.update(List.of(move("x", "c:1")), List.of(move("y", "b:1")));
    assertThat(moves.movedTooOften()).containsExactly("x");
    assertThat(moves.moves())
        .containsExactly(move("x", "b:1").ended(), move("y", "b:1"), move("x", "c:1"));
  }
}

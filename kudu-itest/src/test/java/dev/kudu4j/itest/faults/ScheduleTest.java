package dev.kudu4j.itest.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ScheduleTest {
  private static final List<FaultKind> ALL = List.of(FaultKind.values());

  private static List<List<Fault>> rounds(long seed, int count) {
    Schedule schedule = new Schedule(seed, ALL, 3, 1_000);
    List<List<Fault>> rounds = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rounds.add(schedule.next());
    }
    return rounds;
  }

  @Test
  void aSeedIsASchedule() {
    assertThat(rounds(5, 50)).isEqualTo(rounds(5, 50)).isNotEqualTo(rounds(6, 50));
  }

  @Test
  void everyKindHasItsTurn() {
    Set<FaultKind> kinds = EnumSet.noneOf(FaultKind.class);
    rounds(1, 30).forEach(round -> round.forEach(fault -> kinds.add(fault.kind())));
    assertThat(kinds).containsExactlyInAnyOrderElementsOf(ALL);
  }

  @Test
  void faultsThatComeTogetherBefallDifferentServers() {
    List<List<Fault>> pairs = rounds(2, 200).stream().filter(round -> round.size() == 2).toList();
    assertThat(pairs).hasSizeBetween(20, 120);
    assertThat(pairs).allMatch(pair -> pair.get(0).server() != pair.get(1).server());
  }

  @Test
  void aLinkHasTwoEnds() {
    rounds(3, 200)
        .forEach(
            round ->
                assertThat(round)
                    .allMatch(fault -> fault.server() != fault.other())
                    .allMatch(fault -> fault.other() >= 1 && fault.other() <= 3));
  }
}

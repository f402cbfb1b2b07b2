package dev.kudu4j.itest.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class ScheduleTest {
  private static final List<FaultKind> ALL = List.of(FaultKind.values());
  private static final Roster ROSTER = new Roster(3, 4);

  private static List<List<Fault>> rounds(long seed, int count) {
    Schedule schedule = new Schedule(seed, ALL, ROSTER, 1_000);
    List<List<Fault>> rounds = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rounds.add(schedule.next());
    }
    return rounds;
  }

  @Test
  void equalSeedsGiveEqualSchedules() {
    assertThat(rounds(5, 50)).isEqualTo(rounds(5, 50)).isNotEqualTo(rounds(6, 50));
  }

  @Test
  void everyKindOfFaultOccurs() {
    Set<FaultKind> kinds = EnumSet.noneOf(FaultKind.class);
    rounds(1, 30).forEach(round -> round.forEach(fault -> kinds.add(fault.kind())));
    assertThat(kinds).containsExactlyInAnyOrderElementsOf(ALL);
  }

  @Test
  void concurrentFaultsHitDifferentServers() {
    List<List<Fault>> pairs = rounds(2, 200).stream().filter(round -> round.size() == 2).toList();
    assertThat(pairs).hasSizeBetween(20, 120);
    assertThat(pairs).allMatch(pair -> pair.get(0).server() != pair.get(1).server());
  }

  @Test
  void everyServerIsHit() {
    Set<Integer> struck = new TreeSet<>();
    rounds(4, 100).forEach(round -> round.forEach(fault -> struck.add(fault.server())));
    assertThat(struck).containsExactly(0, 1, 2, 3, 4, 5, 6);
  }

  @Test
  void linksConnectDifferentServersAndMastersAreCutFromAll() {
    Set<Integer> cutFromMasters = new TreeSet<>();
    for (List<Fault> round : rounds(3, 500)) {
      for (Fault fault : round) {
        assertThat(fault.other()).isBetween(0, 6).isNotEqualTo(fault.server());
        if (ROSTER.isMaster(fault.server())) {
          cutFromMasters.add(fault.other());
        } else {
          assertThat(ROSTER.isMaster(fault.other())).isFalse();
        }
      }
    }
    assertThat(cutFromMasters).containsExactly(0, 1, 2, 3, 4, 5, 6);
  }

  @Test
  void aServerHasTheNameOfItsLog() {
    assertThat(ROSTER.name(1)).isEqualTo("master-1");
    assertThat(new Roster(1, 2).name(0)).isEqualTo("master");
    assertThat(ROSTER.name(3)).isEqualTo("tserver-0");
    assertThat(ROSTER.numbered("tserver-3")).isEqualTo(6);
    assertThat(ROSTER.others(2)).containsExactly(0, 1, 3, 4, 5, 6);
  }

  @Test
  void aFaultIsDescribedInWords() {
    Fault fault = new Fault(FaultKind.CUT_LINK, 0, 4, 1_500, 0);
    assertThat(fault.describe(ROSTER)).isEqualTo("CUT_LINK master-0 and tserver-1 for 1500 ms");
  }
}

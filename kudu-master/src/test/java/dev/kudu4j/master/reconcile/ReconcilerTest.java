package dev.kudu4j.master.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.kudu4j.common.proto.master.SysTablesEntryPB;
import dev.kudu4j.common.proto.master.SysTabletsEntryPB;
import dev.kudu4j.master.catalog.TableInfo;
import dev.kudu4j.master.membership.MembershipChange;
import dev.kudu4j.master.observed.ObservedReplica.State;
import dev.kudu4j.master.proto.catalog.ServerEntryPB;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of actions of docs/design/reconciler.md, row by row, and invariants of all actions. */
class ReconcilerTest {
  private static Arguments row(String name, Scenario scenario, String... actions) {
    return arguments(name, scenario, List.of(actions));
  }

  private static Scenario scenario() {
    return new Scenario();
  }

  static Stream<Arguments> rows() {
    return Stream.of(
            settled(), creations(), replacements(), drops(), alterations(), members(), outsiders())
        .flatMap(rows -> rows);
  }

  private static Stream<Arguments> settled() {
    return Stream.of(
        row("a table that is as it should be", scenario()),
        row("nothing is known of the tablet", scenario().unreported()),
        row("a silent member that its leader still counts", scenario().silent("C")),
        row("soft-deleted, its time runs", scenario().softDeleted(50, 100)),
        row("soft-deleted, its time is over", scenario().softDeleted(100, 100), "remove expired"),
        row(
            "soft-deleted with a replica lacking: it may be recalled",
            scenario().softDeleted(50, 100).uncreated("C"),
            "create C"));
  }

  private static Stream<Arguments> creations() {
    return Stream.of(
        row("a new tablet", scenario().creating(1), "create A", "create B", "create C"),
        row(
            "one replica runs and waits for a leader",
            scenario().creating(1).replica(State.RUNNING, 1, "A"),
            "create B",
            "create C"),
        row(
            "the tablet runs on a majority, the third member lacks its replica",
            scenario().uncreated("C"),
            "create C"),
        row(
            "a silent member is asked as well: the task waits for it",
            scenario().uncreated("C").silent("C"),
            "create C"),
        row(
            "the third replica runs, and that was not recorded",
            scenario().uncreated("C").replica(State.RUNNING, 5, "C"),
            "record C"),
        row("the creation has failed", scenario().creating(1).creationFailed()));
  }

  private static Stream<Arguments> replacements() {
    return Stream.of(
        row(
            "a member is silent, the patience is not over",
            scenario().creating(29).servers("A", "B", "C", "D").silent("C"),
            "create A",
            "create B",
            "create C"),
        row(
            "a member is silent for too long",
            scenario().creating(30).servers("A", "B", "C", "D").silent("C"),
            "replace"),
        row(
            "the same, but this leader began a moment ago",
            scenario().creating(30).servers("A", "B", "C", "D").silent("C").sessionBegan(10),
            "create A",
            "create B",
            "create C"),
        row(
            "no other server is there",
            scenario().creating(300).silent("C"),
            "create A",
            "create B",
            "create C"),
        row(
            "the only other server has refused",
            scenario().creating(300).servers("A", "B", "C", "D").silent("C").refusedBy("D"),
            "create A",
            "create B",
            "create C"),
        row(
            "the only other server is to go",
            scenario()
                .creating(300)
                .servers("A", "B", "C", "D")
                .silent("C")
                .serverState("D", ServerEntryPB.State.DECOMMISSIONED),
            "create A",
            "create B",
            "create C"),
        row(
            "a tablet that once ran is never replaced",
            scenario().servers("A", "B", "C", "D").silent("C").uncreated("C").unreported(),
            "create C"));
  }

  private static Stream<Arguments> drops() {
    Scenario removed = scenario().state(SysTablesEntryPB.State.REMOVED);
    return Stream.of(
        row("a removed table", removed, "delete A", "delete B", "delete C"),
        row(
            "former members and strangers too",
            scenario().state(SysTablesEntryPB.State.REMOVED).others("D"),
            "delete A",
            "delete B",
            "delete C",
            "delete D"),
        row(
            "one server has confirmed",
            scenario().state(SysTablesEntryPB.State.REMOVED).replica(State.DELETED, 90, "A"),
            "delete B",
            "delete C"),
        row(
            "a tombstone is no confirmation",
            scenario()
                .state(SysTablesEntryPB.State.REMOVED)
                .replica(State.DELETED, 90, "A", "B")
                .replica(State.TOMBSTONED, 90, "C"),
            "delete C"),
        row(
            "all have confirmed, the last one a moment ago",
            scenario()
                .state(SysTablesEntryPB.State.REMOVED)
                .replica(State.DELETED, 90, "A", "B")
                .replica(State.DELETED, 59, "C")),
        row(
            "all have confirmed for long enough",
            scenario()
                .state(SysTablesEntryPB.State.REMOVED)
                .replica(State.DELETED, 60, "A", "B", "C"),
            "finish"),
        row("a range was dropped", scenario().dropping(), "delete A", "delete B", "delete C"),
        row(
            "a range was dropped and is gone",
            scenario().dropping().replica(State.DELETED, 60, "A", "B", "C"),
            "finish"));
  }

  private static Stream<Arguments> alterations() {
    return Stream.of(
        row("the tablet lacks the alteration", scenario().altering(2, 1), "alter"),
        row("the tablet has it", scenario().altering(2, 2), "finish"),
        row(
            "no leader has reported yet: the task finds one",
            scenario().altering(2, 1).unreported(),
            "alter"),
        row(
            "a tablet in creation is altered when it runs",
            scenario().altering(2, 1).creating(1),
            "create A",
            "create B",
            "create C"));
  }

  private static Stream<Arguments> members() {
    return Stream.of(
        row(
            "a failed member, a free server",
            scenario().servers("A", "B", "C", "D").failed("C"),
            "members"),
        row("a failed member, no free server", scenario().failed("C")),
        row(
            "a failed member that is waited for",
            scenario()
                .servers("A", "B", "C", "D")
                .failed("C")
                .serverState("C", ServerEntryPB.State.MAINTENANCE)),
        row("a voter too many", scenario().group("A", "B", "C", "D"), "members"),
        row("a voter too few", scenario().servers("A", "B", "C", "D").group("A", "B"), "members"),
        row(
            "the leader has accepted the change",
            scenario().servers("A", "B", "C", "D").failed("C").requested("D", true, true, 9)),
        row(
            "the leader was asked and has not answered",
            scenario().servers("A", "B", "C", "D").failed("C").requested("D", true, false, 9),
            "members"),
        row(
            "the leader accepted long ago and reported nothing",
            scenario().servers("A", "B", "C", "D").failed("C").requested("D", true, true, 10),
            "members"),
        row(
            "a member on a server that is to go",
            scenario()
                .servers("A", "B", "C", "D")
                .serverState("C", ServerEntryPB.State.DECOMMISSIONED),
            "members"),
        row(
            "the rebalancer moves a replica",
            scenario().servers("A", "B", "C", "D").moving("C", "D", 29),
            "members"),
        row(
            "the target of the move did not join in time",
            scenario().servers("A", "B", "C", "D").moving("C", "D", 31)),
        row(
            "the source of the move has left",
            scenario().group("A", "B", "D").moving("C", "D", 5)));
  }

  private static Stream<Arguments> outsiders() {
    return Stream.of(
        row("a former member", scenario().servers("A", "B", "C", "D").others("D"), "tombstone D"),
        row("a former member that is silent", scenario().others("D")),
        row(
            "a former member that has a tombstone",
            scenario().servers("A", "B", "C", "D").others("D").replica(State.TOMBSTONED, 5, "D")),
        row(
            "no leader has confirmed that it is no member",
            scenario().servers("A", "B", "C", "D").others("D").unreported()),
        row(
            "the leader counts it as a member by now",
            scenario().servers("A", "B", "C", "D").others("D").group("A", "B", "D")),
        row(
            "it was asked to join",
            scenario().servers("A", "B", "C", "D").others("D").requested("D", true, false, 59)),
        row(
            "it was asked to join and has not",
            scenario().servers("A", "B", "C", "D").others("D").requested("D", true, false, 60),
            "tombstone D"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void needs(String name, Scenario scenario, List<String> actions) {
    assertThat(scenario.actions()).as(name).containsExactlyElementsOf(actions);
  }

  @Test
  void aDecisionNamesTheServersThatItConcerns() {
    Scenario scenario = scenario().group("A", "B", "C", "D").failed("D");
    TableInfo table = scenario.tableInfo();
    assertThat(
            Reconciler.membershipChange(
                table, table.tablets().get(0), scenario.observed(), scenario.view()))
        .contains(new MembershipChange.Remove(List.of("D")));
  }

  /** Any catalog and any observation. */
  @Property(tries = 2_000)
  void actionsNeverContradictEachOther(@ForAll long seed) {
    Scenario scenario = anything(new Random(seed));
    List<String> actions = scenario.actions().toList();
    Set<String> replicas = new HashSet<>();
    for (String action : actions) {
      if (action.matches("(create|delete|tombstone|record) .")) {
        assertThat(replicas.add(action.substring(action.length() - 1)))
            .as("one action for each replica of %s", actions)
            .isTrue();
      }
    }
    TableInfo table = scenario.tableInfo();
    boolean dropped = table.isDropping(Scenario.TABLET);
    List<String> members = table.recordedTablets().get(0).members();
    for (String member : members) {
      assertThat(actions).doesNotContain("tombstone " + member);
    }
    if (dropped) {
      assertThat(actions)
          .allMatch(action -> action.startsWith("delete ") || action.equals("finish"));
    } else {
      assertThat(actions).noneMatch(action -> action.startsWith("delete "));
    }
    Set<String> uncreated = table.recordedTablets().get(0).uncreated();
    for (String action : actions) {
      if (action.startsWith("create ")) {
        assertThat(uncreated).contains(action.substring(7));
      }
    }
    assertThat(scenario.actions().toList()).as("the same input again").isEqualTo(actions);
  }

  private static Scenario anything(Random random) {
    Scenario scenario = scenario().servers("A", "B", "C", "D", "E");
    String[] names = {"A", "B", "C", "D", "E"};
    if (random.nextInt(3) == 0) {
      scenario.creating(random.nextInt(60));
    } else if (random.nextBoolean()) {
      scenario.uncreated(names[random.nextInt(3)]);
    }
    switch (random.nextInt(5)) {
      case 0 -> scenario.state(SysTablesEntryPB.State.REMOVED);
      case 1 -> scenario.dropping();
      case 2 -> scenario.altering(2, 1 + random.nextInt(2));
      default -> {}
    }
    for (String name : names) {
      if (random.nextInt(4) == 0) {
        scenario.silent(name);
      }
      if (random.nextInt(3) == 0) {
        scenario.replica(
            State.values()[random.nextInt(State.values().length)], random.nextInt(120), name);
      }
    }
    if (random.nextBoolean()) {
      scenario.others(names[3 + random.nextInt(2)]);
    }
    if (scenario.tablet.getState() == SysTabletsEntryPB.State.RUNNING && random.nextBoolean()) {
      scenario.group("A", "B", names[2 + random.nextInt(3)]);
    }
    if (random.nextInt(3) == 0) {
      scenario.requested(
          names[3 + random.nextInt(2)], true, random.nextBoolean(), random.nextInt(90));
    }
    return scenario;
  }
}

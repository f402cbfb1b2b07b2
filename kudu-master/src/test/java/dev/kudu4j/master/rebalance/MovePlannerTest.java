package dev.kudu4j.master.rebalance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.master.membership.MoveReason;
import dev.kudu4j.master.placement.LocationRule;
import dev.kudu4j.master.rebalance.Balance.Placement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;

class MovePlannerTest {
  private static final int ALL = Integer.MAX_VALUE;

  /** Any number of servers and tables, some new servers, some tablets that must not be moved. */
  private static Balance anyBalance(long seed) {
    Random random = new Random(seed);
    int locationCount = List.of(1, 1, 2, 3, 4).get(random.nextInt(5));
    Map<String, String> locations = new TreeMap<>();
    int servers = 3 + random.nextInt(8);
    for (int i = 0; i < servers; i++) {
      locations.put("s" + i, locationCount == 1 ? "" : "/l" + i % locationCount);
    }
    int inUse = 3 + random.nextInt(servers - 2);
    List<Placement> tablets = new ArrayList<>();
    int tables = 1 + random.nextInt(4);
    for (int table = 0; table < tables; table++) {
      int factor = random.nextBoolean() ? 3 : 1;
      int count = random.nextInt(20);
      for (int i = 0; i < count; i++) {
        List<String> all = new ArrayList<>(List.copyOf(locations.keySet()).subList(0, inUse));
        Collections.shuffle(all, random);
        List<String> holders = all.subList(0, factor);
        tablets.add(
            new Placement(
                "t" + table + "." + i,
                "table" + table,
                factor,
                holders,
                holders.get(random.nextInt(factor)),
                random.nextInt(10) > 0));
      }
    }
    return new Balance(locations, Set.of(), tablets);
  }

  /** The distribution after the moves, which have to be possible and of different tablets. */
  private static Balance after(Balance before, List<Move> moves) {
    Map<String, Placement> tablets = new TreeMap<>();
    before.tablets().forEach(tablet -> tablets.put(tablet.tablet(), tablet));
    for (Move move : moves) {
      Placement tablet = tablets.remove(move.tablet());
      assertThat(tablet).as("movable once: %s", move).isNotNull();
      assertThat(tablet.movable()).isTrue();
      assertThat(tablet.holders()).contains(move.from()).doesNotContain(move.to());
    }
    return before.after(moves);
  }

  @Property(tries = 500)
  void noTableBecomesLessEvenAndNoTabletLessSpread(
      @ForAll @LongRange(min = 0, max = 1L << 40) long seed) {
    Balance before = anyBalance(seed);
    Balance after = after(before, MovePlanner.plan(before, ALL));
    Skew old = Skew.of(before);
    Skew now = Skew.of(after);
    assertThat(now.misplaced()).isLessThanOrEqualTo(old.misplaced());
    if (old.misplaced() == 0) { // the placement rule has priority over balance
      now.replicaSkewByTable()
          .forEach(
              (table, skew) ->
                  assertThat(skew)
                      .isLessThanOrEqualTo(Math.max(1, old.replicaSkewByTable().get(table))));
    }
  }

  @Property(tries = 300)
  void planningEndsAfterAtMostOneMovePerReplica(
      @ForAll @LongRange(min = 0, max = 1L << 40) long seed) {
    Balance balance = anyBalance(seed);
    int replicas = balance.tablets().stream().mapToInt(tablet -> tablet.holders().size()).sum();
    Set<List<Placement>> seen = new HashSet<>();
    for (int moved = 0; moved <= replicas; ) { // on average, one move per replica at most
      assertThat(seen.add(balance.tablets())).as("going in circles").isTrue();
      List<Move> moves = MovePlanner.plan(balance, 1 + (int) (seed % 5));
      if (moves.isEmpty()) {
        return;
      }
      moved += moves.size();
      balance = after(balance, moves);
    }
    throw new AssertionError("No end of moves");
  }

  /** A cluster without constraints: one location, single replicas, all of them movable. */
  @Property(tries = 200)
  void freeReplicasEndUpEven(@ForAll @LongRange(min = 0, max = 1L << 40) long seed) {
    Random random = new Random(seed);
    Map<String, String> locations = new TreeMap<>();
    int servers = 2 + random.nextInt(6);
    for (int i = 0; i < servers; i++) {
      locations.put("s" + i, "");
    }
    List<Placement> tablets = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      String holder = "s" + Math.min(random.nextInt(servers), random.nextInt(servers));
      tablets.add(
          new Placement("t" + i, "table" + random.nextInt(3), 1, List.of(holder), holder, true));
    }
    Balance balance = new Balance(locations, Set.of(), tablets);
    for (List<Move> moves = MovePlanner.plan(balance, ALL);
        !moves.isEmpty();
        moves = MovePlanner.plan(balance, ALL)) {
      balance = after(balance, moves);
    }
    Skew skew = Skew.of(balance);
    assertThat(skew.clusterSkew()).isLessThanOrEqualTo(1);
    assertThat(skew.replicaSkewByTable().values()).allMatch(each -> each <= 1);
  }

  @Property(tries = 300)
  void leadersAreSpreadInABoundedNumberOfRounds(
      @ForAll @LongRange(min = 0, max = 1L << 40) long seed) {
    Balance balance = anyBalance(seed);
    int rounds = 0;
    for (var plan = LeaderPlanner.plan(balance, 7);
        !plan.isEmpty();
        plan = LeaderPlanner.plan(balance, 7)) {
      assertThat(rounds++).isLessThan(200);
      Map<String, String> leaders = new TreeMap<>();
      plan.forEach(transfer -> leaders.put(transfer.tablet(), transfer.to()));
      List<Placement> tablets = new ArrayList<>();
      for (Placement t : balance.tablets()) {
        String leader = leaders.getOrDefault(t.tablet(), t.leader());
        assertThat(t.holders()).contains(leader);
        tablets.add(
            new Placement(
                t.tablet(), t.table(), t.replicationFactor(), t.holders(), leader, t.movable()));
      }
      balance = new Balance(balance.locations(), balance.leaving(), tablets);
    }
  }

  @Example
  void aNewServerGetsItsShare() {
    List<Placement> tablets = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      tablets.add(new Placement("t" + i, "t", 3, List.of("a", "b", "c"), "a", true));
    }
    Balance before = new Balance(Map.of("a", "", "b", "", "c", "", "d", ""), Set.of(), tablets);
    Balance after = after(before, MovePlanner.plan(before, ALL));
    assertThat(Skew.of(after).replicas()).isEqualTo(Map.of("a", 9, "b", 9, "c", 9, "d", 9));
    assertThat(MovePlanner.plan(after, ALL)).isEmpty();
  }

  @Example
  void aMajorityInOneLocationIsSplitFirst() {
    Balance before =
        new Balance(
            Map.of("a", "/x", "b", "/x", "c", "/y", "d", "/z"),
            Set.of(),
            List.of(new Placement("t0", "t", 3, List.of("a", "b", "c"), "a", true)));
    List<Move> moves = MovePlanner.plan(before, ALL);
    assertThat(moves)
        .singleElement()
        .matches(move -> move.reason() == MoveReason.LOCATION && move.to().equals("d"));
    assertThat(LocationRule.maxPerLocation(3, 3)).isEqualTo(1);
  }

  @Example
  void aLeavingServerIsEmptied() {
    Balance before =
        new Balance(
            Map.of("a", "", "b", "", "c", ""),
            Set.of("gone"),
            List.of(new Placement("t0", "t", 3, List.of("a", "b", "gone"), "a", true)));
    assertThat(MovePlanner.plan(before, ALL))
        .containsExactly(new Move("t0", "t", "gone", "c", MoveReason.LEAVING));
  }
}

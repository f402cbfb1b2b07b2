package dev.kudu4j.itest.faults;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/**
 * The sequence of faults, in rounds: the same for the same seed. Every kind occurs once before one
 * is repeated; sometimes a second fault hits another server during the first.
 */
final class Schedule {
  private static final long SHORTEST_MILLIS = 1_500;
  private static final int SPREAD_MILLIS = 3_500;
  private static final int SECOND_ONE_IN = 3;
  private static final int MASTER_ONE_IN = 5;

  private final Random random;
  private final List<FaultKind> kinds;
  private final Roster roster;
  private final int maxClockShiftMillis;
  private final Deque<FaultKind> turn = new ArrayDeque<>();

  /**
   * @param maxClockShiftMillis the maximum by which a clock is moved, forwards or backwards
   */
  Schedule(long seed, List<FaultKind> kinds, Roster roster, int maxClockShiftMillis) {
    this.random = new Random(seed);
    this.kinds = List.copyOf(kinds);
    this.roster = roster;
    this.maxClockShiftMillis = maxClockShiftMillis;
  }

  /** The faults of the next round: one, or two on different servers. */
  List<Fault> next() {
    Fault first = fault(nextKind());
    if (random.nextInt(SECOND_ONE_IN) > 0) {
      return List.of(first);
    }
    Fault second = fault(nextKind());
    return first.server() == second.server() ? List.of(first) : List.of(first, second);
  }

  private FaultKind nextKind() {
    if (turn.isEmpty()) {
      List<FaultKind> all = new ArrayList<>(kinds);
      Collections.shuffle(all, random);
      turn.addAll(all);
    }
    return turn.remove();
  }

  private Fault fault(FaultKind kind) {
    boolean ofMaster = kind != FaultKind.FILL_DISK && random.nextInt(MASTER_ONE_IN) == 0;
    int server = ofMaster ? random.nextInt(roster.masters()) : tabletServer();
    long hold = SHORTEST_MILLIS + random.nextInt(SPREAD_MILLIS);
    int clock = random.nextInt(2 * maxClockShiftMillis + 1) - maxClockShiftMillis;
    return new Fault(kind, server, otherEnd(server), hold, clock);
  }

  private int tabletServer() {
    return roster.masters() + random.nextInt(roster.tabletServers());
  }

  /**
   * Chooses the other end of a link: any server for a master, another tablet server for a tablet
   * server.
   */
  private int otherEnd(int server) {
    List<Integer> others =
        roster.others(server).stream()
            .filter(other -> roster.isMaster(server) || !roster.isMaster(other))
            .toList();
    return others.get(random.nextInt(others.size()));
  }
}

package dev.kudu4j.master.tables;

import dev.kudu4j.master.membership.Group;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The moves of replicas that are under way, one a tablet: its target is to join and its source to
 * leave. A move ends when the source has left, or when the target did not join or was given up.
 *
 * <p>Not stored. Of a move that is forgotten a surplus voter may be left, and the fuller server
 * loses it, which is where it came from.
 *
 * <p>Thread-safe.
 */
final class Moves {
  private static final long JOIN_PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final Map<String, UnderWay> moves = new ConcurrentHashMap<>();
  private final LongSupplier nanoClock;

  private record UnderWay(String source, String target, boolean joined, long sinceNanos) {}

  Moves(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  void begin(String tabletId, String source, String target) {
    moves.put(tabletId, new UnderWay(source, target, false, nanoClock.getAsLong()));
  }

  boolean isMoving(String tabletId) {
    return moves.containsKey(tabletId);
  }

  boolean isLeaving(String tabletId, String serverUuid) {
    UnderWay move = moves.get(tabletId);
    return move != null && move.source().equals(serverUuid);
  }

  /** Where the tablet's replica goes; or null. */
  String target(String tabletId) {
    UnderWay move = moves.get(tabletId);
    return move == null ? null : move.target();
  }

  /** How many moves begin or end at a server. */
  int count(String serverUuid) {
    return (int)
        moves.values().stream()
            .filter(move -> move.source().equals(serverUuid) || move.target().equals(serverUuid))
            .count();
  }

  int count() {
    return moves.size();
  }

  /** Looks how far the move of a tablet has come, and ends it where it should. */
  void follow(String tabletId, Group group) {
    moves.computeIfPresent(tabletId, (id, move) -> followed(move, group));
  }

  private UnderWay followed(UnderWay move, Group group) {
    boolean member = group.isMember(move.target());
    boolean late = nanoClock.getAsLong() - move.sinceNanos() > JOIN_PATIENCE_NANOS;
    if (!group.isMember(move.source()) || (!member && (move.joined() || late))) {
      return null;
    }
    return member && !move.joined()
        ? new UnderWay(move.source(), move.target(), true, move.sinceNanos())
        : move;
  }

  void forget(String tabletId) {
    moves.remove(tabletId);
  }
}

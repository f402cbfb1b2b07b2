package dev.kudu4j.client;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The moves that the responses of a rebalancing have reported, and the tablets that were moved so
 * often that the master shall leave them alone: without a limit, moves that fail immediately, for
 * example because a disk is full, would be repeated without end. Not thread-safe.
 */
final class MovesOfTablets {
  private static final int MAX_MOVES = 3;

  private final Map<Key, ReplicaMove> moves = new LinkedHashMap<>();
  private final Map<String, Integer> counts = new HashMap<>();
  private final Set<Key> inProgress = new HashSet<>();

  private record Key(String tabletId, String from, String to) {
    static Key of(ReplicaMove move) {
      return new Key(move.tabletId(), move.from(), move.to());
    }
  }

  /**
   * Records a response.
   *
   * @param begun the moves that the master has begun for this response
   * @param earlier the other moves in progress; some may be new here, because the response that
   *     reported their beginning was lost or another caller has begun them
   */
  void update(List<ReplicaMove> begun, List<ReplicaMove> earlier) {
    Set<Key> before = new HashSet<>(inProgress);
    inProgress.clear();
    earlier.stream().filter(move -> !before.contains(Key.of(move))).forEach(this::count);
    begun.forEach(this::count);
    earlier.forEach(this::put);
    begun.forEach(this::put);
  }

  private void count(ReplicaMove move) {
    counts.merge(move.tabletId(), 1, Integer::sum);
  }

  private void put(ReplicaMove move) {
    inProgress.add(Key.of(move));
    moves.put(Key.of(move), move);
  }

  /** All moves, in the order in which they were begun; a repeated move is listed once. */
  List<ReplicaMove> moves() {
    List<ReplicaMove> all = new ArrayList<>();
    moves.forEach((key, move) -> all.add(inProgress.contains(key) ? move : move.ended()));
    return all;
  }

  /** Whether a move is in progress that is not of a tablet moved too often before it. */
  boolean anyInProgress() {
    return inProgress.stream().anyMatch(key -> counts.get(key.tabletId()) <= MAX_MOVES);
  }

  /** The ids of the tablets that shall not be moved again. */
  List<String> movedTooOften() {
    return counts.entrySet().stream()
        .filter(entry -> entry.getValue() >= MAX_MOVES)
        .map(Map.Entry::getKey)
        .toList();
  }
}

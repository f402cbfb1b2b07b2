package dev.kudu4j.master.placement;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.master.heartbeat.RegisteredServer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;

/**
 * Chooses servers by the power of two choices: for each replica it draws two servers at random and
 * takes the one with fewer replicas. This is nearly as even as always taking the emptiest server,
 * but a new server does not get all new replicas at the same time. If servers have locations, the
 * location is chosen first, in the same way, among those that may hold another replica of the
 * tablet ({@link LocationRule}).
 *
 * <p>One placer serves one request, and counts the replicas that it has placed. Not thread-safe.
 */
public final class ReplicaPlacer {
  private final List<RegisteredServer> candidates;
  private final Map<String, List<RegisteredServer>> byLocation = new HashMap<>();
  private final RandomGenerator random;
  private final Map<RegisteredServer, Integer> placed = new HashMap<>();

  /**
   * @param candidates servers that may get replicas
   */
  public ReplicaPlacer(List<RegisteredServer> candidates, RandomGenerator random) {
    this.candidates = List.copyOf(candidates);
    this.random = random;
    for (RegisteredServer server : candidates) {
      byLocation.computeIfAbsent(server.location(), location -> new ArrayList<>()).add(server);
    }
  }

  /**
   * Chooses servers for the replicas of one tablet, all different.
   *
   * @throws KuduException INVALID_ARGUMENT when there are fewer servers than replicas
   */
  public List<RegisteredServer> place(int replicaCount) {
    if (candidates.size() < replicaCount) {
      throw KuduException.invalidArgument(
          "not enough live tablet servers for a replication factor of %d: only %d live tablet"
              + " servers accept new replicas; start more or ask for fewer replicas",
          replicaCount, candidates.size());
    }
    List<RegisteredServer> chosen = new ArrayList<>(replicaCount);
    for (int i = 0; i < replicaCount; i++) {
      chosen.add(addTo(chosen, replicaCount).orElseThrow());
    }
    return chosen;
  }

  /**
   * Chooses a server for one more replica of a tablet; empty when all candidates are holders.
   *
   * @param holders servers that have a replica and will keep it
   */
  public Optional<RegisteredServer> addTo(
      Collection<RegisteredServer> holders, int replicationFactor) {
    List<RegisteredServer> free = new ArrayList<>(candidates);
    free.removeAll(holders);
    if (free.isEmpty()) {
      return Optional.empty();
    }
    RegisteredServer server = choose(allowed(free, holders, replicationFactor));
    placed.merge(server, 1, Integer::sum);
    return Optional.of(server);
  }

  /**
   * The free servers in locations that may hold one more replica; all free servers when there is no
   * such location.
   */
  private List<RegisteredServer> allowed(
      List<RegisteredServer> free, Collection<RegisteredServer> holders, int replicationFactor) {
    int max = LocationRule.maxPerLocation(replicationFactor, byLocation.size());
    Map<String, Integer> counts = countByLocation(holders);
    List<RegisteredServer> allowed =
        free.stream().filter(server -> counts.getOrDefault(server.location(), 0) < max).toList();
    return allowed.isEmpty() ? free : allowed;
  }

  private static Map<String, Integer> countByLocation(Collection<RegisteredServer> servers) {
    Map<String, Integer> counts = new HashMap<>();
    servers.forEach(server -> counts.merge(server.location(), 1, Integer::sum));
    return counts;
  }

  private RegisteredServer choose(List<RegisteredServer> servers) {
    List<String> locations = servers.stream().map(RegisteredServer::location).distinct().toList();
    String location = lighterOfTwo(locations, this::loadOf);
    return lighterOfTwo(
        servers.stream().filter(server -> server.location().equals(location)).toList(), this::load);
  }

  private <T> T lighterOfTwo(List<T> choices, ToDoubleFunction<T> load) {
    if (choices.size() == 1) {
      return choices.get(0);
    }
    T a = choices.get(random.nextInt(choices.size()));
    T b = choices.get(random.nextInt(choices.size()));
    return load.applyAsDouble(b) < load.applyAsDouble(a) ? b : a;
  }

  /** The average number of replicas per server in a location. */
  private double loadOf(String location) {
    return byLocation.get(location).stream().mapToInt(this::load).average().orElse(0);
  }

  private int load(RegisteredServer server) {
    return server.load() + placed.getOrDefault(server, 0);
  }

  /** Adds the placed replicas to the counts of the servers, once the placement is recorded. */
  public void commit() {
    placed.forEach(
        (server, count) -> {
          for (int i = 0; i < count; i++) {
            server.addPlaced();
          }
        });
    placed.clear();
  }

  /**
   * The server whose replica a tablet with too many should lose: one in a location that holds too
   * many of the tablet's replicas, if there is one, and among those the one with the most replicas.
   *
   * @param holders all servers that have a replica
   * @param expendable the holders that may lose their replica; not empty
   */
  public static RegisteredServer leastWanted(
      Collection<RegisteredServer> holders,
      Collection<RegisteredServer> expendable,
      int replicationFactor,
      int locations) {
    int max = LocationRule.maxPerLocation(replicationFactor, locations);
    Map<String, Integer> counts = countByLocation(holders);
    RegisteredServer least = null;
    for (RegisteredServer server : expendable) {
      if (least == null || rank(server, counts, max) > rank(least, counts, max)) {
        least = server;
      }
    }
    return least;
  }

  private static long rank(RegisteredServer server, Map<String, Integer> counts, int max) {
    long crowding = Math.max(0, counts.getOrDefault(server.location(), 0) - max);
    return (crowding << 32) + server.load();
  }
}

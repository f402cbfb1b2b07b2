package dev.kudu4j.benchmarks.compare;

import dev.kudu4j.benchmarks.cluster.ClusterSource;
import dev.kudu4j.benchmarks.cluster.StatusClient;
import dev.kudu4j.benchmarks.cluster.TargetCluster;
import dev.kudu4j.benchmarks.report.Side;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Runs the work of the sides in turn. All clusters are running, but only the cluster of the current
 * side has work.
 *
 * <pre>
 *   round    0            1            2
 *            ours theirs  theirs ours  ours theirs
 * </pre>
 *
 * <p>The order changes from round to round, so that no side always has to write back the dirty
 * pages of the same other side.
 */
public final class Turns implements AutoCloseable {
  private final Map<Side, ClusterSource> sides;
  private final Map<ClusterSource, TargetCluster> clusters = new HashMap<>();

  /** The work of a side in its turn. */
  public interface Turn {
    void run(Side side, TargetCluster cluster) throws Exception;
  }

  /**
   * Opens the clusters.
   *
   * @param sides the sides that run, with their clusters; two sides may share a cluster
   * @param directory the directory for the servers' data
   * @param rpc borrowed until this object is closed
   */
  public Turns(Map<Side, ClusterSource> sides, Path directory, StatusClient rpc) {
    this.sides = sides;
    try {
      sides.forEach(
          (side, source) ->
              clusters.computeIfAbsent(
                  source, s -> s.open(directory.resolve(directoryName(side)), rpc)));
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  static String directoryName(Side side) {
    return side.name().toLowerCase(Locale.ROOT);
  }

  /** The cluster of a side. */
  public TargetCluster cluster(Side side) {
    return clusters.get(sides.get(side));
  }

  /** One turn for each side. */
  public void round(int round, Turn turn) throws Exception {
    for (Side side : order(sides.keySet(), round)) {
      turn.run(side, cluster(side));
    }
  }

  /** The order of the sides in a round, see above. */
  public static <S> List<S> order(Collection<S> sides, int round) {
    List<S> order = new ArrayList<>(sides);
    if (round % 2 == 1) {
      Collections.reverse(order);
    }
    return order;
  }

  @Override
  public void close() {
    clusters.values().forEach(TargetCluster::close);
  }
}

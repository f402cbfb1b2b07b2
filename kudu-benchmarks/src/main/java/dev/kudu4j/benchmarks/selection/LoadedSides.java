package dev.kudu4j.benchmarks.selection;

import dev.kudu4j.benchmarks.cluster.ClusterSource;
import dev.kudu4j.benchmarks.cluster.StatusClient;
import dev.kudu4j.benchmarks.cluster.TargetCluster;
import dev.kudu4j.benchmarks.compare.Turns;
import dev.kudu4j.benchmarks.report.Side;
import dev.kudu4j.client.KuduIndex;
import dev.kudu4j.client.KuduIndexHint;
import java.nio.file.Path;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A generated table in Kudu4j, with indexes, and in the published Apache Kudu, if that takes part.
 * Both are loaded, flushed and idle.
 */
@SuppressWarnings("try") // close() may be interrupted, which ends the process
public final class LoadedSides implements AutoCloseable {
  private static final int LOAD_THREADS = 2;

  private final GeneratedTable table;
  private final TwinIndexes indexes;
  private final int tablets;
  private final Consumer<String> progress;
  private final Turns clusters;
  private final List<Side> sides;
  private final IndexBuilds builds = new IndexBuilds();
  private final Map<Side, SelectionTrial> trials = new EnumMap<>(Side.class);

  /**
   * Starts the clusters.
   *
   * @param sources the clusters of {@link Side#OURS} and, if it takes part, {@link Side#PUBLISHED}
   * @param directory directory of the servers' data
   * @param rpc borrowed until this object is closed
   */
  public LoadedSides(
      GeneratedTable table,
      TwinIndexes indexes,
      int tablets,
      Map<Side, ClusterSource> sources,
      Path directory,
      StatusClient rpc,
      Consumer<String> progress) {
    if (!sources.containsKey(Side.OURS)) {
      throw new IllegalArgumentException("Indexes are compared on Kudu4j's servers; need OURS");
    }
    this.table = table;
    this.indexes = indexes;
    this.tablets = tablets;
    this.progress = progress;
    this.sides = List.of(Side.OURS, Side.PUBLISHED).stream().filter(sources::containsKey).toList();
    this.clusters = new Turns(sources, directory, rpc);
  }

  /**
   * Loads the table, and builds the indexes.
   *
   * @param any a range of each indexed column
   */
  public void load(List<Range> any) throws Exception {
    for (Side side : sides) {
      TargetCluster cluster = clusters.cluster(side);
      String masters = cluster.masterAddresses();
      SelectionTrial trial =
          side == Side.OURS
              ? new OurSelections(masters, table, tablets)
              : new dev.kudu4j.benchmarks.selection.published.TableSelections(
                  masters, table, tablets);
      trials.put(side, trial);
      progress.accept("loading " + table.name() + " into " + side.title());
      long startNanos = System.nanoTime();
      long rows = trial.load(LOAD_THREADS);
      progress.accept(
          "    %,d rows in %.1f s".formatted(rows, (System.nanoTime() - startNanos) / 1e9));
      cluster.flush();
      cluster.awaitIdle();
    }
    double bytes = ourCluster().dataBytes();
    build(indexes.plain(), bytes, any);
    build(indexes.including(), bytes, any);
    build(List.of(indexes.clustering()), bytes, List.of());
  }

  /**
   * @param any a range of the column of each local index
   */
  private void build(List<KuduIndex> wanted, double tableBytes, List<Range> any) throws Exception {
    TargetCluster cluster = ourCluster();
    double bytesBefore = cluster.dataBytes();
    long startNanos = System.nanoTime();
    ours().addIndexes(wanted);
    for (int i = 0; i < any.size(); i++) {
      ours().awaitIndex(wanted.get(i), any.get(i));
    }
    ours().awaitGlobalIndexes();
    double seconds = (System.nanoTime() - startNanos) / 1e9;
    cluster.flush(); // rows of global indexes are in memory
    cluster.awaitIdle();
    builds.add(wanted, seconds, cluster.dataBytes() - bytesBefore, tableBytes);
    progress.accept("    built %s in %.1f s".formatted(IndexBuilds.names(wanted), seconds));
  }

  /** The table in Kudu4j. */
  public OurSelections ours() {
    SelectionTrial ours = trials.get(Side.OURS);
    if (ours == null) {
      throw new IllegalStateException("The table is not loaded yet");
    }
    return (OurSelections) ours;
  }

  public TargetCluster ourCluster() {
    return clusters.cluster(Side.OURS);
  }

  /** How long the indexes were built, and their size. */
  public IndexBuilds builds() {
    return builds;
  }

  /** The hint that makes Kudu4j's servers follow a plan. */
  public KuduIndexHint hint(Plan plan) {
    return plan.hint(indexes);
  }

  /** The readers of all plans that can run. */
  public Map<Plan, PlanReader> readers() {
    Map<Plan, PlanReader> readers = new EnumMap<>(Plan.class);
    for (Plan plan : Plan.values()) {
      if (plan != Plan.PUBLISHED) {
        KuduIndexHint hint = hint(plan);
        OurSelections ours = ours();
        readers.put(plan, new PlanReader(ourCluster(), selection -> ours.answer(selection, hint)));
      }
    }
    SelectionTrial published = trials.get(Side.PUBLISHED);
    if (published != null) {
      readers.put(
          Plan.PUBLISHED, new PlanReader(clusters.cluster(Side.PUBLISHED), published::answer));
    }
    return Collections.unmodifiableMap(readers);
  }

  @Override
  public void close() throws Exception {
    try (clusters) {
      for (SelectionTrial trial : trials.values()) {
        trial.close();
      }
    }
  }
}

package dev.kudu4j.master.directory;

import dev.kudu4j.common.proto.index.IndexPB;
import dev.kudu4j.common.proto.index.IndexProgressPB;
import dev.kudu4j.master.catalog.TableInfo;
import dev.kudu4j.master.catalog.TabletInfo;
import dev.kudu4j.master.observed.ObservedTablets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How much of an index has been built, as the replicas last reported it. For people only: scans use
 * whatever files there are.
 *
 * @param index the definition
 * @param tablets the tablets of the table, in the order of their partitions
 */
public record IndexState(IndexPB index, List<Tablet> tablets) {
  /**
   * The sums over the replicas of a tablet.
   *
   * @param replicas members of the tablet's group
   * @param builtReplicas of these: running replicas all of whose rowsets have the index
   */
  public record Tablet(
      String tabletId,
      int replicas,
      int builtReplicas,
      long rowSets,
      long builtRowSets,
      long rows,
      long builtRows) {}

  public IndexState {
    tablets = List.copyOf(tablets);
  }

  /** The states of all indexes of the table, in the order of their creation. */
  public static List<IndexState> of(TableInfo table, ObservedTablets observed) {
    return table.entry().getIndexesList().stream()
        .map(
            index ->
                new IndexState(
                    index,
                    table.tablets().stream()
                        .map(tablet -> tablet(index.getId(), tablet, observed))
                        .toList()))
        .toList();
  }

  private static Tablet tablet(int indexId, TabletInfo tablet, ObservedTablets observed) {
    Map<String, List<IndexProgressPB>> reported = observed.get(tablet.id()).indexes();
    List<IndexProgressPB> known = new ArrayList<>();
    for (String server : tablet.members()) {
      find(reported.getOrDefault(server, List.of()), indexId).ifPresent(known::add);
    }
    return new Tablet(
        tablet.id(),
        tablet.members().size(),
        (int) known.stream().filter(one -> one.getBuiltRowsets() == one.getRowsets()).count(),
        known.stream().mapToLong(IndexProgressPB::getRowsets).sum(),
        known.stream().mapToLong(IndexProgressPB::getBuiltRowsets).sum(),
        known.stream().mapToLong(IndexProgressPB::getRows).sum(),
        known.stream().mapToLong(IndexProgressPB::getBuiltRows).sum());
  }

  private static Optional<IndexProgressPB> find(List<IndexProgressPB> reported, int indexId) {
    return reported.stream().filter(one -> one.getIndexId() == indexId).findFirst();
  }

  /** Whether all replicas of all tablets have built it. */
  public boolean isReady() {
    return tablets.stream().allMatch(tablet -> tablet.builtReplicas() == tablet.replicas());
  }

  public long rowSets() {
    return tablets.stream().mapToLong(Tablet::rowSets).sum();
  }

  public long builtRowSets() {
    return tablets.stream().mapToLong(Tablet::builtRowSets).sum();
  }
}

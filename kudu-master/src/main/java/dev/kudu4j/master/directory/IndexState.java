package dev.kudu4j.master.directory;

import dev.kudu4j.common.index.IndexKind;
import dev.kudu4j.common.index.Uniqueness;
import dev.kudu4j.common.proto.index.IndexPB;
import dev.kudu4j.common.proto.index.IndexProgressPB;
import dev.kudu4j.common.proto.master.GetIndexProgressResponsePB.State;
import dev.kudu4j.master.catalog.TableInfo;
import dev.kudu4j.master.catalog.TabletInfo;
import dev.kudu4j.master.observed.ObservedTablets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * How much of an index has been built, as the replicas last reported it. For people, and for the
 * states of unique indexes; scans use whatever files there are.
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
   * @param checked whether a replica has searched for equal rows in the present state of the index
   * @param duplicates the equal rows that a replica has found; empty if there are none
   * @param failure why a tablet of a global index cannot have all rows; empty otherwise
   */
  public record Tablet(
      String tabletId,
      int replicas,
      int builtReplicas,
      long rowSets,
      long builtRowSets,
      long rows,
      long builtRows,
      boolean checked,
      String duplicates,
      String failure) {}

  public IndexState {
    tablets = List.copyOf(tablets);
  }

  /**
   * The states of all indexes of the table, in the order of their creation.
   *
   * @param indexTable finds the table of a global index; null if there is none yet
   */
  public static List<IndexState> of(
      TableInfo table, ObservedTablets observed, Function<IndexPB, TableInfo> indexTable) {
    return table.entry().getIndexesList().stream()
        .map(
            index ->
                new IndexState(
                    index,
                    tablets(table, index, indexTable).stream()
                        .map(tablet -> tablet(index, tablet, observed))
                        .toList()))
        .toList();
  }

  /** The tablets that have the index. */
  private static List<TabletInfo> tablets(
      TableInfo table, IndexPB index, Function<IndexPB, TableInfo> indexTable) {
    if (index.getKind() != IndexKind.GLOBAL.number()) {
      return List.copyOf(table.tablets());
    }
    TableInfo own = indexTable.apply(index);
    return own == null ? List.of() : List.copyOf(own.tablets());
  }

  private static Tablet tablet(IndexPB index, TabletInfo tablet, ObservedTablets observed) {
    Map<String, List<IndexProgressPB>> reported = observed.get(tablet.id()).indexes();
    List<IndexProgressPB> known = new ArrayList<>();
    for (String server : tablet.members()) {
      find(reported.getOrDefault(server, List.of()), index.getId()).ifPresent(known::add);
    }
    List<IndexProgressPB> checks =
        known.stream()
            .filter(one -> one.getCheckedAt() > 0)
            .filter(one -> one.getCheckedAt() == index.getUniqueness())
            .toList();
    return new Tablet(
        tablet.id(),
        tablet.members().size(),
        (int) known.stream().filter(one -> one.getBuiltRowsets() == one.getRowsets()).count(),
        known.stream().mapToLong(IndexProgressPB::getRowsets).sum(),
        known.stream().mapToLong(IndexProgressPB::getBuiltRowsets).sum(),
        known.stream().mapToLong(IndexProgressPB::getRows).sum(),
        known.stream().mapToLong(IndexProgressPB::getBuiltRows).sum(),
        !checks.isEmpty(),
        checks.stream()
            .map(IndexProgressPB::getDuplicates)
            .filter(text -> !text.isEmpty())
            .findFirst()
            .orElse(""),
        known.stream()
            .map(IndexProgressPB::getFailure)
            .filter(text -> !text.isEmpty())
            .findFirst()
            .orElse(""));
  }

  private static Optional<IndexProgressPB> find(List<IndexProgressPB> reported, int indexId) {
    return reported.stream().filter(one -> one.getIndexId() == indexId).findFirst();
  }

  /** The state of its uniqueness. */
  public Uniqueness uniqueness() {
    return Uniqueness.ofNumber(index.getUniqueness());
  }

  /** Whether each tablet has been searched for equal rows in the present state. */
  public boolean isChecked() {
    return tablets.stream().allMatch(Tablet::checked);
  }

  /** The equal rows that a tablet has found; empty if there are none. */
  public String duplicates() {
    return tablets.stream()
        .map(Tablet::duplicates)
        .filter(text -> !text.isEmpty())
        .findFirst()
        .orElse("");
  }

  /** Why it has failed, for people; empty if it has not. */
  public String failure() {
    return index.hasDuplicates()
        ? index.getDuplicates()
        : tablets.stream()
            .map(Tablet::failure)
            .filter(text -> !text.isEmpty())
            .findFirst()
            .orElse("");
  }

  /** The state for clients and pages. */
  public State state() {
    if (tablets.stream().anyMatch(tablet -> !tablet.failure().isEmpty())) {
      return State.FAILED;
    }
    return switch (uniqueness()) {
      case FAILED -> State.FAILED;
      case ENFORCED -> State.CHECKING;
      case PREPARING -> State.BUILDING;
      case NOT_UNIQUE, CHECKED -> isBuilt() ? State.READY : State.BUILDING;
    };
  }

  /** Whether all replicas of all tablets have built it. */
  public boolean isBuilt() {
    if (index.getKind() == IndexKind.CLAIMED.number()) { // leaders build it
      return uniqueness() == Uniqueness.CHECKED;
    }
    boolean exists = index.getKind() != IndexKind.GLOBAL.number() || !tablets.isEmpty();
    return exists
        && tablets.stream().allMatch(tablet -> tablet.builtReplicas() == tablet.replicas());
  }

  public long rowSets() {
    return tablets.stream().mapToLong(Tablet::rowSets).sum();
  }

  public long builtRowSets() {
    return tablets.stream().mapToLong(Tablet::builtRowSets).sum();
  }
}

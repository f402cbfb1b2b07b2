package dev.kudu4j.tablet.checkpoint;

import dev.kudu4j.tablet.TabletDescriptor;
import dev.kudu4j.tablet.apply.AppliedState;
import dev.kudu4j.tablet.apply.MissedMutations;
import dev.kudu4j.tablet.components.Components;
import dev.kudu4j.tablet.components.DiskRowSet;
import dev.kudu4j.tablet.components.RefCounted;
import dev.kudu4j.tablet.components.RowSetTree;
import dev.kudu4j.tablet.delta.DeltaMemStore;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.log.LogPosition;
import dev.kudu4j.tablet.memrowset.MemRowSet;
import dev.kudu4j.tablet.proto.ClientAnswersPB;
import dev.kudu4j.tablet.transaction.FrozenTransactions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The state of a tablet at a boundary in its log, as the next superblock records it: the frozen
 * stores, and copies of the small parts of the state that continue to change.
 *
 * @param components the version in which the stores are frozen; the owner of this record holds a
 *     pin on it
 * @param changeCount the number of changes in the frozen MemRowSet at the boundary; later ones are
 *     behind them in its {@link dev.kudu4j.tablet.delta.ChangeLog}
 * @param liveRows the live row counts at the boundary, by rowset id
 * @param changes collects later changes of frozen rows
 * @param transactions the open transactions; the owner of this record releases them
 */
record FrozenState(
    LogPosition position,
    long maxTimestamp,
    TabletDescriptor descriptor,
    long autoIncrementCounter,
    List<ClientAnswersPB> clients,
    Components components,
    int changeCount,
    Map<Long, Long> liveRows,
    MissedMutations changes,
    FrozenTransactions transactions) {

  /** Releases what the record holds. */
  void release() {
    components.unpin();
    transactions.release();
  }

  /** Freezes all non-empty stores and replaces them by empty stores. Requires the writer lock. */
  static FrozenState take(AppliedState state, TabletEnvironment environment) {
    Components before = state.components().get();
    Map<Long, Long> liveRows = new HashMap<>();
    int changeCount = before.activeMemRowSet().changes().count();
    before.rowSets().forEach(rowSet -> liveRows.put(rowSet.id(), rowSet.liveRowCount()));
    MissedMutations changes = new MissedMutations();
    List<ClientAnswersPB> clients =
        state.requests().toMessages(); // before the swap, because this large allocation may fail
    FrozenTransactions transactions = state.transactions().freeze();
    try {
      state.components().swap(withStoresFrozen(before, state, environment));
    } catch (RuntimeException | Error e) {
      transactions.release();
      throw e;
    }
    state.collectFrozenChanges(changes);
    return new FrozenState(
        state.applied(),
        state.maxTimestamp(),
        state.descriptor(),
        state.autoIncrementCounter(),
        clients,
        state.components().pin(),
        changeCount,
        liveRows,
        changes,
        transactions);
  }

  private static Components withStoresFrozen(
      Components before, AppliedState state, TabletEnvironment environment) {
    List<RefCounted<?>> fresh = new ArrayList<>();
    try {
      List<DiskRowSet> rowSets = new ArrayList<>();
      for (DiskRowSet rowSet : before.rowSets()) {
        rowSets.add(
            rowSet.activeDeltas().isEmpty() ? rowSet : freezeDeltas(rowSet, environment, fresh));
      }
      RefCounted<MemRowSet> active = before.activePart();
      RefCounted<MemRowSet> frozen = null;
      if (active.get().rowCount() > 0) {
        frozen = active;
        active =
            new RefCounted<>(
                new MemRowSet(
                    environment.allocator(),
                    environment.options().arenaChunkBytes(),
                    state.schema(),
                    state.descriptor().indexes()));
        fresh.add(active);
      }
      return new Components(
          state.schema(), active, frozen, new RowSetTree(rowSets), before.ancientHistoryMark());
    } finally {
      fresh.forEach(RefCounted::release); // the new version holds its own references
    }
  }

  private static DiskRowSet freezeDeltas(
      DiskRowSet rowSet, TabletEnvironment environment, List<RefCounted<?>> fresh) {
    RefCounted<DeltaMemStore> store =
        new RefCounted<>(
            new DeltaMemStore(environment.allocator(), environment.options().arenaChunkBytes()));
    fresh.add(store);
    return rowSet.withFrozenDeltas(store);
  }
}

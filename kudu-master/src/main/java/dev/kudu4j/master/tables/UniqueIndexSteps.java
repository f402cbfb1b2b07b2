package dev.kudu4j.master.tables;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.index.Uniqueness;
import dev.kudu4j.common.proto.index.IndexPB;
import dev.kudu4j.common.proto.master.SysTablesEntryPB;
import dev.kudu4j.master.catalog.TableInfo;
import dev.kudu4j.master.directory.IndexState;
import dev.kudu4j.master.observed.ObservedTablets;
import dev.kudu4j.master.proto.catalog.TableEntryPB;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The states of unique indexes, {@link Uniqueness}: each state is sent to all tablets as an
 * alteration, and the next one follows when their replicas have reported what is asked for in it.
 */
final class UniqueIndexSteps {
  private UniqueIndexSteps() {}

  /** Whether an index of the table waits for reports, and no alteration is under way. */
  static boolean areUnfinished(TableInfo table) {
    return table.entry().getState() == SysTablesEntryPB.State.RUNNING
        && !table.isSoftDeleted()
        && table.entry().getIndexesList().stream()
            .anyMatch(index -> Uniqueness.ofNumber(index.getUniqueness()).isChecking());
  }

  /**
   * Changes the record as far as the reports allow.
   *
   * @param claimTablets finds the tablets with the claims of an index; empty while they do not run
   * @return what has changed, for the log; empty if nothing has
   */
  static String advance(
      TableEntryPB.Builder entry,
      TableInfo table,
      ObservedTablets observed,
      Function<IndexPB, List<ByteString>> claimTablets) {
    List<String> changes = new ArrayList<>();
    List<IndexState> states = IndexState.of(table, observed, global -> null);
    for (int i = 0; i < states.size(); i++) {
      IndexState state = states.get(i);
      if (!state.uniqueness().isChecking()) {
        continue;
      }
      IndexPB.Builder index = entry.getIndexesBuilder(i);
      if (!state.duplicates().isEmpty()) {
        index.setUniqueness(Uniqueness.FAILED.number()).setDuplicates(state.duplicates());
      } else if (isFirstStepOfClaims(state)) {
        List<ByteString> tablets = claimTablets.apply(state.index());
        if (tablets.isEmpty()) {
          continue;
        }
        index.addAllClaimTabletIds(tablets).setUniqueness(Uniqueness.ENFORCED.number());
      } else if (state.isChecked() && isPrepared(state)) {
        index.setUniqueness(state.uniqueness().next().number());
      } else {
        continue;
      }
      changes.add(
          "unique index "
              + index.getName()
              + " is now "
              + Uniqueness.ofNumber(index.getUniqueness())
              + (state.duplicates().isEmpty() ? "" : ": " + state.duplicates()));
    }
    return String.join(", ", changes);
  }

  /** Values can be claimed when the tablets with the claims run. */
  private static boolean isFirstStepOfClaims(IndexState state) {
    return IndexTables.isClaimed(state.index()) && state.uniqueness() == Uniqueness.PREPARING;
  }

  /**
   * Before writes are checked, all files are built: a writer that finds a rowset without its file
   * has to read the rowset.
   */
  private static boolean isPrepared(IndexState state) {
    return state.uniqueness() != Uniqueness.PREPARING || state.isBuilt();
  }
}

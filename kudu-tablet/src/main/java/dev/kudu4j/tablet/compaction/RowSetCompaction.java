package dev.kudu4j.tablet.compaction;

import dev.kudu4j.tablet.TabletDescriptor;
import dev.kudu4j.tablet.apply.AppliedState;
import dev.kudu4j.tablet.checkpoint.NewFiles;
import dev.kudu4j.tablet.checkpoint.RowSetMessages;
import dev.kudu4j.tablet.checkpoint.RowSetOpener;
import dev.kudu4j.tablet.checkpoint.StoreUpdate;
import dev.kudu4j.tablet.checkpoint.WrittenRowSet;
import dev.kudu4j.tablet.components.DiskRowSet;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.proto.RowSetPB;
import dev.kudu4j.tablet.proto.SuperblockPB;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Merges the files of several rowsets and replaces the rowsets with the result. In-memory changes
 * are carried over to the DeltaMemStores of the new rowsets.
 */
public final class RowSetCompaction implements StoreUpdate {
  private final TabletEnvironment environment;
  private final AppliedState state;
  private final List<DiskRowSet> inputs;
  private final Set<Long> inputIds;
  private final TabletDescriptor tablet;
  private final long mark;
  private final List<DiskRowSet> outputs = new ArrayList<>();
  private final List<RowSetPB> messages = new ArrayList<>();
  private final List<Runnable> releases = new ArrayList<>();
  private @Nullable RowSetMerge merge; // null before the files are written
  private @Nullable RowSetCarryOver carryOver; // null until the files are written

  /**
   * @param inputs pinned until this update is closed; none has a frozen DeltaMemStore
   * @param tablet the superblock's descriptor; later alterations are in the log
   * @param mark the new ancient history mark: history below it is dropped; at least the tablet's
   *     current mark
   */
  public RowSetCompaction(
      TabletEnvironment environment,
      AppliedState state,
      List<DiskRowSet> inputs,
      TabletDescriptor tablet,
      long mark) {
    this.environment = environment;
    this.state = state;
    this.inputs = List.copyOf(inputs);
    this.inputIds = inputs.stream().map(DiskRowSet::id).collect(Collectors.toSet());
    this.tablet = tablet;
    this.mark = mark;
  }

  @Override
  public void writeFiles(NewFiles files) throws IOException {
    RowSetMerge merge = new RowSetMerge(environment, files, inputs, tablet.schema(), mark);
    this.merge = merge;
    List<WrittenRowSet> written;
    try {
      written = merge.run();
    } finally {
      merge.closeFiles();
    }
    RowSetOpener opener = new RowSetOpener(environment, releases);
    for (WrittenRowSet rowSet : written) {
      DiskRowSet output = opener.openNew(rowSet, files, tablet);
      outputs.add(output);
      messages.add(
          RowSetMessages.of(output.id(), output.onDisk())
              .setLiveRowCount(output.liveRowCount()) // before changes are carried over
              .build());
    }
    carryOver = new RowSetCarryOver(state, inputs, merge.maps(), outputs);
  }

  @Override
  public void describe(SuperblockPB.Builder superblock) {
    List<RowSetPB> kept =
        superblock.getRowSetsList().stream()
            .filter(rowSet -> !inputIds.contains(rowSet.getId()))
            .toList();
    superblock
        .clearRowSets()
        .addAllRowSets(kept)
        .addAllRowSets(messages)
        .setAncientHistoryMark(Math.max(mark, superblock.getAncientHistoryMark()));
  }

  @Override
  public boolean carryOver() {
    return carryOverOfWritten().round();
  }

  private RowSetCarryOver carryOverOfWritten() {
    return Objects.requireNonNull(carryOver, "the files are written first");
  }

  @Override
  public List<DiskRowSet> finishAndListRowSets(List<DiskRowSet> now) {
    carryOverOfWritten().finish();
    List<DiskRowSet> after = new ArrayList<>(outputs);
    for (DiskRowSet rowSet : now) {
      if (!inputIds.contains(rowSet.id())) {
        after.add(rowSet);
      }
    }
    return after;
  }

  @Override
  public void close() {
    if (carryOver != null) {
      carryOver.stop();
    }
    if (merge != null) {
      merge.close();
    }
    releases.forEach(Runnable::run);
    releases.clear();
  }
}

package dev.kudu4j.tablet;

import dev.kudu4j.common.expression.Aggregation;
import dev.kudu4j.common.index.IndexDefinition;
import dev.kudu4j.tablet.apply.AppliedState;
import dev.kudu4j.tablet.check.IndexVerification;
import dev.kudu4j.tablet.checkpoint.RowSetIndexer;
import dev.kudu4j.tablet.components.Components;
import dev.kudu4j.tablet.components.DiskRowSet;
import dev.kudu4j.tablet.components.RowSetTree;
import dev.kudu4j.tablet.delta.DeltaFile;
import dev.kudu4j.tablet.delta.DeltaMemStore;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.feed.ChangeBatch;
import dev.kudu4j.tablet.feed.ChangeFeed;
import dev.kudu4j.tablet.feed.FeedRequest;
import dev.kudu4j.tablet.index.IndexProgress;
import dev.kudu4j.tablet.maintenance.RowSetShapes;
import dev.kudu4j.tablet.memrowset.MemRowSet;
import dev.kudu4j.tablet.scan.ScanSpec;
import dev.kudu4j.tablet.scan.TabletScanner;
import dev.kudu4j.tablet.scan.TabletScans;
import dev.kudu4j.tablet.scan.aggregate.AggregateRow;
import dev.kudu4j.tablet.unique.UniqueChecks;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The read path of a tablet. Any thread may call it without a lock, because each result is based on
 * one pinned version of the tablet's components.
 */
final class ReadPath {
  private final TabletEnvironment environment;
  private final AppliedState state;
  private final UniqueChecks checks;
  private volatile @Nullable MeasuredTree lastMeasured;

  private record MeasuredTree(RowSetTree tree, double averageHeight) {}

  private volatile @Nullable MeasuredIndexes lastIndexes;

  private record MeasuredIndexes(
      RowSetTree tree, TabletDescriptor tablet, List<IndexProgress> progress) {}

  ReadPath(TabletEnvironment environment, AppliedState state, UniqueChecks checks) {
    this.environment = environment;
    this.state = state;
    this.checks = checks;
  }

  TabletScanner scan(ScanSpec spec) throws IOException {
    ScanSpec scan = withExistingIndexes(spec);
    Components components = state.components().pin();
    return TabletScans.open(environment, components, components.schema(), scan);
  }

  /** Files of an index that was dropped may still be there. */
  private ScanSpec withExistingIndexes(ScanSpec spec) {
    return spec.withIndexHint(spec.indexHint().within(state.indexIds()));
  }

  List<AggregateRow> aggregate(ScanSpec spec, Aggregation aggregates) throws IOException {
    ScanSpec scan = withExistingIndexes(spec);
    Components components = state.components().pin();
    return TabletScans.aggregate(environment, components, components.schema(), scan, aggregates);
  }

  void readChanges(FeedRequest request, ChangeBatch out) throws IOException {
    Components components = state.components().pin();
    try {
      ChangeFeed.read(environment, components, request, out);
    } finally {
      components.unpin();
    }
  }

  void verify(IndexVerification verification, List<IndexDefinition> indexes) throws IOException {
    Components components = state.components().pin();
    try {
      verification.run(environment, components, indexes);
    } finally {
      components.unpin();
    }
  }

  long oldestInMemory() {
    Components components = state.components().pinIfOpen();
    if (components == null) {
      return Long.MAX_VALUE;
    }
    try {
      return components.oldestInMemory();
    } finally {
      components.unpin();
    }
  }

  List<byte[]> splitKeys(
      byte @Nullable [] lowerKey, byte @Nullable [] upperKey, long targetBytes, int[] columnIds)
      throws IOException {
    Components components = state.components().pin();
    try {
      return new KeyRangeSplitter(components, columnIds).split(lowerKey, upperKey, targetBytes);
    } finally {
      components.unpin();
    }
  }

  /**
   * For a closed tablet, returns the number of live rows and zero for all sizes. Callers that
   * iterate over all tablets need no special case for closed ones.
   */
  TabletStatistics statistics() {
    Components components = state.components().pinIfOpen();
    if (components == null) {
      return new TabletStatistics(state.liveRows(), 0, 0, 0, 0, 0);
    }
    try {
      return statistics(components);
    } finally {
      components.unpin();
    }
  }

  private TabletStatistics statistics(Components components) {
    long memRowSetBytes = components.activeMemRowSet().bytes() + state.transactions().memoryBytes();
    for (MemRowSet frozen : components.frozenMemRowSets()) {
      memRowSetBytes += frozen.bytes();
    }
    long deltaBytes = 0;
    long diskBytes = 0;
    long undoBytes = 0;
    int deltaFiles = 0;
    for (DiskRowSet rowSet : components.rowSets()) {
      deltaBytes += rowSet.activeDeltas().bytes() + bytes(rowSet.frozenDeltas());
      diskBytes += rowSet.onDisk().bytes();
      deltaFiles += rowSet.redoFiles().size() + rowSet.undoFiles().size();
      for (DeltaFile file : rowSet.undoFiles()) {
        undoBytes += file.fileBytes();
      }
    }
    return new TabletStatistics(
        state.liveRows(),
        memRowSetBytes,
        deltaBytes,
        diskBytes,
        components.rowSets().size(),
        deltaFiles,
        undoBytes,
        averageHeight(components),
        components.ancientHistoryMark(),
        indexes(components));
  }

  /** The average height, computed once per {@link RowSetTree}. */
  private double averageHeight(Components components) {
    MeasuredTree known = lastMeasured;
    if (known == null || known.tree() != components.tree()) {
      known = new MeasuredTree(components.tree(), RowSetShapes.averageHeight(components));
      lastMeasured = known;
    }
    return known.averageHeight();
  }

  /** The progress of the indexes; files are counted once per {@link RowSetTree} and descriptor. */
  @SuppressWarnings("ReferenceEquality") // an alteration creates another descriptor
  private List<IndexProgress> indexes(Components components) {
    TabletDescriptor tablet = state.descriptor();
    MeasuredIndexes known = lastIndexes;
    if (known == null || known.tree() != components.tree() || known.tablet() != tablet) {
      known =
          new MeasuredIndexes(
              components.tree(),
              tablet,
              RowSetIndexer.progress(components.rowSets(), tablet.indexes(), tablet.schema()));
      lastIndexes = known;
    }
    return checks.addTo(known.progress(), tablet.indexes());
  }

  private static long bytes(@Nullable DeltaMemStore store) {
    return store == null ? 0 : store.bytes();
  }
}

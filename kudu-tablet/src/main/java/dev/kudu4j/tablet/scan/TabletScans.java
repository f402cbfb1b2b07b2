package dev.kudu4j.tablet.scan;

import dev.kudu4j.common.expression.Aggregation;
import dev.kudu4j.common.expression.TopN;
import dev.kudu4j.common.predicate.ColumnPredicate;
import dev.kudu4j.common.predicate.ColumnPredicates;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tablet.components.Components;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.scan.aggregate.AggregateRow;
import dev.kudu4j.tablet.scan.aggregate.AggregateScan;
import dev.kudu4j.tablet.scan.aggregate.Aggregator;
import dev.kudu4j.tablet.scan.aggregate.GroupCollector;
import dev.kudu4j.tablet.scan.collect.Collector;
import dev.kudu4j.tablet.scan.collect.CollectorMemory;
import dev.kudu4j.tablet.scan.predicate.PredicateCompiler;
import dev.kudu4j.tablet.scan.predicate.PredicateNode;
import dev.kudu4j.tablet.scan.source.CompiledScan;
import dev.kudu4j.tablet.scan.source.RowSource;
import dev.kudu4j.tablet.scan.source.ScanColumns;
import dev.kudu4j.tablet.scan.source.ScanWork;
import dev.kudu4j.tablet.scan.source.Sources;
import dev.kudu4j.tablet.scan.top.TopRows;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/** Opens scans and runs aggregations. */
public final class TabletScans {
  private TabletScans() {}

  /**
   * Opens a scan of one version of a tablet's components.
   *
   * @param components pinned by the caller; the scanner takes over the pin and releases it on
   *     close. If this method fails, it also releases the pin
   * @param currentSchema the tablet's columns with ids; defines key columns and read defaults
   * @throws dev.kudu4j.common.status.KuduException INVALID_ARGUMENT for an unknown column and for a
   *     snapshot below the ancient history mark, CORRUPTION for a damaged file
   */
  public static TabletScanner open(
      TabletEnvironment environment, Components components, Schema currentSchema, ScanSpec spec)
      throws IOException {
    @Nullable BufferAllocator allocator = null;
    CollectorMemory.@Nullable Share share = null;
    @Nullable RowSource source = null;
    try {
      checkHistory(components.ancientHistoryMark(), spec);
      checkKeys(spec);
      if (spec.collects()) {
        checkCollected(spec);
        share = CollectorMemory.ofProcess().join();
      }
      CompiledScan plan = plan(environment, currentSchema, inBlocks(spec, share));
      allocator = environment.scans().newChildAllocator("open scans", 0, Long.MAX_VALUE);
      source = source(plan, components, allocator, spec);
      Collector collector = collector(spec, plan, allocator);
      if (collector == null) {
        return new RowScanner(
            components, allocator, environment.nanoTime(), source, spec, plan.work());
      }
      assert share != null : "a scan that collects has a share of the memory";
      return new CollectingScanner(
          components, allocator, environment.nanoTime(), source, collector, share, plan.work());
    } catch (IOException | RuntimeException | Error e) {
      try {
        if (share != null) {
          share.leave();
        }
        if (source != null) {
          source.close();
        }
        if (allocator != null) {
          allocator.close();
        }
      } catch (RuntimeException leak) {
        e.addSuppressed(leak);
      } finally {
        components.unpin();
      }
      throw e;
    }
  }

  private static ScanSpec inBlocks(ScanSpec spec, CollectorMemory.@Nullable Share share) {
    return share == null ? spec : spec.withBlockRows(share.blockRows(spec.blockRows()));
  }

  /** Turns the rows into the result of the scan; null for a scan that returns all its rows. */
  private static @Nullable Collector collector(
      ScanSpec spec, CompiledScan plan, BufferAllocator allocator) {
    Aggregation aggregation = spec.aggregation();
    if (aggregation != null) {
      return new GroupCollector(
          () -> new Aggregator(aggregation, plan.columns(), plan.blockRows()));
    }
    return spec.top() == null
        ? null
        : new TopRows(spec.top(), spec.projection(), plan.columns(), plan.blockRows(), allocator);
  }

  /**
   * Rejects a scan that needs UNDO deltas from before the ancient history mark, which may have been
   * removed.
   */
  private static void checkHistory(long mark, ScanSpec spec) {
    long oldest = spec.diffStart() < 0 ? spec.snapshot() : spec.diffStart();
    if (oldest < mark) {
      throw KuduException.invalidArgument(
          "Snapshot %d is older than the retained history, which starts at %d; read a later"
              + " snapshot, or raise --tablet_history_max_age_sec",
          oldest, mark);
    }
  }

  private static void checkKeys(ScanSpec spec) {
    if (spec.keys() != null && (spec.ordered() || spec.diffStart() >= 0)) {
      throw KuduException.invalidArgument(
          "A scan of given keys can be neither ordered nor a diff scan; scan unordered and sort the"
              + " result");
    }
  }

  /**
   * Computes aggregates over the rows of a scan.
   *
   * @param components pinned by the caller; this method releases the pin
   * @param spec an unordered scan without a limit and without {@link ScanSpec#diffStart}; its
   *     projection is ignored
   * @throws dev.kudu4j.common.status.KuduException as {@link #open}; NOT_SUPPORTED for column types
   *     without arithmetic, and for numbers beyond 64 bits
   */
  public static List<AggregateRow> aggregate(
      TabletEnvironment environment,
      Components components,
      Schema currentSchema,
      ScanSpec spec,
      Aggregation aggregates)
      throws IOException {
    try (BufferAllocator allocator =
        environment.scans().newChildAllocator("aggregate", 0, Long.MAX_VALUE)) {
      checkHistory(components.ancientHistoryMark(), spec);
      checkCollected(spec);
      CompiledScan plan = plan(environment, currentSchema, spec.withAggregation(aggregates));
      try (RowSource source = source(plan, components, allocator, spec)) {
        return AggregateScan.run(aggregates, plan, source);
      }
    } finally {
      components.unpin();
    }
  }

  private static void checkCollected(ScanSpec spec) {
    if (spec.ordered() || spec.diffStart() >= 0 || spec.limit() != Long.MAX_VALUE) {
      throw KuduException.invalidArgument(
          "An aggregation, or the first rows in an order, cannot be scanned in key order, as a"
              + " difference, or with a limit");
    }
    if (spec.top() != null) {
      checkTop(spec.top(), spec.projection());
    }
  }

  private static void checkTop(TopN top, Schema projection) {
    if (projection.columns().stream().anyMatch(c -> c.type() == DataType.IS_DELETED)) {
      throw KuduException.invalidArgument("Only a diff scan can project an IS_DELETED column");
    }
    for (TopN.Order order : top.order()) {
      if (projection.indexOfId(order.column().id()) < 0) {
        throw KuduException.invalidArgument(
            "Column %s of the order must be projected", order.column());
      }
    }
  }

  private static CompiledScan plan(TabletEnvironment environment, Schema schema, ScanSpec spec) {
    List<ColumnPredicate> merged = ColumnPredicates.merge(spec.predicates());
    EncodedKeyRange range = EncodedKeyRange.of(spec, merged, schema);
    ScanColumns columns = new ScanColumns(schema, spec.columnsRead(), filtered(spec, range));
    boolean single = CompiledScan.isSingleKey(range.lower(), range.upper());
    @Nullable List<byte[]> keys = single ? null : range.keys();
    int max = Math.min(spec.blockRows(), environment.options().batchRows());
    int blockRows = blockRows(single, keys, max);
    PredicateNode predicate =
        new PredicateCompiler(column -> columns.numberOfId(column.id()), blockRows)
            .compile(range.rest(), spec.condition());
    return new CompiledScan(
        columns,
        predicate,
        spec.snapshot(),
        spec.diffStart(),
        range.lower(),
        range.upper(),
        keys,
        CompiledScan.firstBlockRows(spec.limit(), blockRows),
        blockRows,
        !spec.ordered() && spec.diffStart() < 0,
        spec.indexHint(),
        new ScanWork());
  }

  /** The columns of the filters that the key range does not cover. */
  private static List<ColumnSchema> filtered(ScanSpec spec, EncodedKeyRange range) {
    if (range.rest().isEmpty() && spec.condition() == null) {
      return List.of();
    }
    List<ColumnSchema> columns = new ArrayList<>();
    range.rest().forEach(predicate -> columns.add(predicate.column()));
    if (spec.condition() != null) {
      spec.condition().forEachColumn(columns::add);
    }
    return columns;
  }

  /**
   * The maximum number of rows of a block. Rows that are looked up by key are usually far apart, so
   * a block of such rows covers only a few consecutive ordinals, which may share a page.
   */
  private static int blockRows(boolean single, @Nullable List<byte[]> keys, int max) {
    if (single) {
      return 1;
    }
    return keys == null ? max : Math.min(max, CompiledScan.KEYED_BLOCK_ROWS);
  }

  private static RowSource source(
      CompiledScan plan, Components components, BufferAllocator allocator, ScanSpec spec)
      throws IOException {
    if (PredicateCompiler.isNothing(plan.predicate()) || plan.isEmpty()) {
      return Sources.none(plan, components);
    }
    boolean ordered = spec.ordered() || spec.diffStart() >= 0;
    return ordered
        ? Sources.ordered(plan, components, allocator, spec.projection())
        : Sources.unordered(plan, components, allocator, spec.wantLastKey());
  }
}

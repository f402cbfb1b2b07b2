package dev.kudu4j.tablet.scan;

import dev.kudu4j.common.predicate.ColumnPredicate;
import dev.kudu4j.common.predicate.ColumnPredicates;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.components.Components;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.scan.predicate.PredicateCompiler;
import dev.kudu4j.tablet.scan.predicate.PredicateNode;
import dev.kudu4j.tablet.scan.source.EmptySource;
import dev.kudu4j.tablet.scan.source.RowSource;
import dev.kudu4j.tablet.scan.source.ScanPlan;
import dev.kudu4j.tablet.scan.source.Sources;
import dev.kudu4j.tablet.scan.source.WantedColumns;
import java.io.IOException;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/** Opens scans. */
public final class TabletScans {
  private TabletScans() {}

  /**
   * Opens a scan of one version of a tablet's parts.
   *
   * @param components takes the caller's pin, also when this fails; given back by the scanner's
   *     close
   * @param currentSchema the tablet's columns with ids: says which are keys, and the read defaults
   * @throws dev.kudu4j.common.status.KuduException INVALID_ARGUMENT for a column that the schema
   *     does not have, CORRUPTION from a file
   */
  public static TabletScanner open(
      TabletEnvironment environment, Components components, Schema currentSchema, ScanSpec spec)
      throws IOException {
    BufferAllocator allocator = null;
    try {
      ScanPlan plan = plan(environment, currentSchema, spec);
      allocator = environment.allocator().newChildAllocator("scan", 0, Long.MAX_VALUE);
      RowSource source = source(plan, components, allocator, spec);
      return new RowScanner(components, allocator, environment.nanoTime(), source, spec);
    } catch (IOException | RuntimeException | Error e) {
      try {
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

  private static ScanPlan plan(TabletEnvironment environment, Schema schema, ScanSpec spec) {
    List<ColumnPredicate> merged = ColumnPredicates.merge(spec.predicates());
    KeyRange range = KeyRange.of(spec, merged, schema);
    WantedColumns columns = new WantedColumns(schema, spec.projection(), range.rest());
    boolean single = ScanPlan.isSingleKey(range.lower(), range.upper());
    int blockRows = single ? 1 : environment.options().batchRows();
    PredicateNode predicate =
        new PredicateCompiler(column -> columns.numberOfId(column.id()), blockRows)
            .compile(range.rest());
    return new ScanPlan(
        columns,
        predicate,
        spec.snapshot(),
        spec.diffStart(),
        range.lower(),
        range.upper(),
        blockRows);
  }

  private static RowSource source(
      ScanPlan plan, Components components, BufferAllocator allocator, ScanSpec spec)
      throws IOException {
    if (PredicateCompiler.isNothing(plan.predicate()) || plan.isEmpty()) {
      return new EmptySource();
    }
    boolean ordered = spec.ordered() || spec.diffStart() >= 0;
    return ordered
        ? Sources.ordered(plan, components, allocator, spec.projection())
        : Sources.unordered(plan, components, allocator, spec.wantLastKey());
  }
}

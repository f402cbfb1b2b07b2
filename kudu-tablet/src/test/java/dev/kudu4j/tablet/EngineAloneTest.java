package dev.kudu4j.tablet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.expression.Aggregate;
import dev.kudu4j.common.expression.Aggregation;
import dev.kudu4j.common.expression.Expression;
import dev.kudu4j.common.row.OperationType;
import dev.kudu4j.common.row.RowLayout;
import dev.kudu4j.common.row.RowOperationsWriter;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.cache.PageCache;
import dev.kudu4j.tablet.check.TabletChecker;
import dev.kudu4j.tablet.env.CrashPoints;
import dev.kudu4j.tablet.env.LocalFileStore;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.env.TabletOptions;
import dev.kudu4j.tablet.log.LogEntry;
import dev.kudu4j.tablet.log.LogPosition;
import dev.kudu4j.tablet.log.WriteRequest;
import dev.kudu4j.tablet.memory.Allocators;
import dev.kudu4j.tablet.scan.ScanSpec;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The engine without a cluster, as the README of this module shows it. */
class EngineAloneTest {
  private static final Schema SCHEMA =
      new Schema(
          List.of(
              ColumnSchema.builder("id", DataType.INT64).id(0).key(true).build(),
              ColumnSchema.builder("visits", DataType.INT64).id(1).build()));
  private static final RowLayout LAYOUT = RowLayout.of(SCHEMA);

  private long index;

  @Test
  void rowsAreWrittenChangedReadAndRecovered(@TempDir Path directory) throws IOException {
    try (BufferAllocator allocator = Allocators.root(256 << 20);
        PageCache pages = new PageCache(allocator, 64 << 20)) {
      TabletEnvironment environment =
          new TabletEnvironment(
              new LocalFileStore(),
              directory,
              allocator,
              pages,
              CrashPoints.NONE,
              new Random(),
              System::nanoTime,
              TabletOptions.DEFAULT);
      TabletDescriptor descriptor =
          new TabletDescriptor("0".repeat(32), "1".repeat(32), "visits", SCHEMA, 1, Map.of());
      long before;
      try (Tablet tablet = Tablet.create(environment, descriptor)) {
        write(tablet, OperationType.INSERT, 1, 10);
        write(tablet, OperationType.INSERT, 2, 20);
        before = tablet.latestSnapshot();
        write(tablet, OperationType.UPSERT, 2, 25);
        assertThat(visits(tablet, tablet.latestSnapshot())).isEqualTo(35);
        tablet.flush();
        tablet.maintenance().compactFully(0);
      }
      try (Tablet tablet = Tablet.open(environment)) {
        assertThat(visits(tablet, tablet.latestSnapshot())).isEqualTo(35);
        assertThat(visits(tablet, before)).isEqualTo(30);
      }
      assertThat(TabletChecker.check(environment)).isEmpty();
    }
  }

  /**
   * Writes as the owner of the log, who assigns positions and timestamps and replays the entries.
   */
  private void write(Tablet tablet, OperationType type, long id, long visits) {
    RowOperationsWriter writer = new RowOperationsWriter(LAYOUT);
    writer.begin(type).setLong(0, id).setLong(1, visits).end();
    WriteRequest request = new WriteRequest(null, 1, new int[] {0, 1}, writer.packed());
    byte[] entry = LogEntry.encodeWrite(List.of(request));
    index++;
    LogEntry.patchTimestamp(entry, 1000 + index);
    tablet.apply(new LogPosition(1, index), LogEntry.decode(entry, 0, entry.length));
  }

  /** The sum of the visits at a snapshot. */
  private static long visits(Tablet tablet, long snapshot) throws IOException {
    Aggregation sum =
        new Aggregation(List.of(), List.of(Aggregate.sum(Expression.column(SCHEMA.column(1)))));
    List<Object> values = tablet.aggregate(ScanSpec.of(SCHEMA, snapshot), sum).get(0).values();
    return ((BigDecimal) values.get(0)).longValueExact();
  }
}

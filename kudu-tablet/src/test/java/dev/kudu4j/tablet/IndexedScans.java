package dev.kudu4j.tablet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.expression.Condition;
import dev.kudu4j.common.index.IndexDefinition;
import dev.kudu4j.common.index.Uniqueness;
import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.predicate.ColumnPredicate;
import dev.kudu4j.common.schema.CellOrder;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.batch.ColumnBatch;
import dev.kudu4j.tablet.scan.ScanSpec;
import dev.kudu4j.tablet.scan.TabletScanner;
import dev.kudu4j.tablet.scan.index.IndexHint;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.arrow.memory.BufferAllocator;

/** Random indexes of a tablet, and random scans whose results must not depend on them. */
final class IndexedScans {
  private final Tablet tablet;
  private final BufferAllocator allocator;
  private final Random random;
  private final long snapshot;

  private IndexedScans(Tablet tablet, BufferAllocator allocator, Random random, long snapshot) {
    this.tablet = tablet;
    this.allocator = allocator;
    this.random = random;
    this.snapshot = snapshot;
  }

  /**
   * Random indexes on columns that are not arrays.
   *
   * @param firstId the id of the first one
   */
  static List<IndexDefinition> randomIndexes(Random random, Schema schema, int firstId) {
    List<IndexDefinition> indexes = new ArrayList<>();
    int count = random.nextInt(4);
    for (int i = 0; i < count; i++) {
      List<Integer> ids = new ArrayList<>();
      for (ColumnSchema column : schema.columns()) {
        if (column.type() != DataType.NESTED) {
          ids.add(column.id());
        }
      }
      Collections.shuffle(ids, random);
      int indexed = 1 + random.nextInt(Math.min(3, ids.size()));
      int included = random.nextInt(3) == 0 ? random.nextInt(ids.size() - indexed + 1) : 0;
      IndexDefinition index =
          new IndexDefinition(
              firstId + i,
              "index" + i,
              ids.subList(0, indexed),
              ids.subList(indexed, indexed + included),
              mayBeUnique(ids.subList(0, indexed), schema) && random.nextInt(3) == 0
                  ? Uniqueness.PREPARING // with a filter, but without refusals
                  : Uniqueness.NOT_UNIQUE);
      index.check(schema);
      indexes.add(index);
    }
    return indexes;
  }

  private static boolean mayBeUnique(List<Integer> ids, Schema schema) {
    return ids.stream().allMatch(id -> schema.column(schema.indexOfId(id)).type().isKeyable());
  }

  /** Compares a scan that uses an index wherever it can with a scan that uses none. */
  static void compare(Tablet tablet, BufferAllocator allocator, Random random, long snapshot)
      throws IOException {
    List<IndexDefinition> usable =
        tablet.descriptor().indexes().stream()
            .filter(
                index ->
                    index.columns().stream().allMatch(id -> tablet.schema().indexOfId(id) >= 0))
            .toList();
    if (!usable.isEmpty()) {
      new IndexedScans(tablet, allocator, random, snapshot)
          .compare(usable.get(random.nextInt(usable.size())));
    }
  }

  private void compare(IndexDefinition index) throws IOException {
    List<ColumnPredicate> predicates = new ArrayList<>();
    Condition condition = null;
    if (random.nextInt(4) == 0) {
      List<Condition> parts = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        ColumnPredicate part = predicate(index.columns().get(0));
        if (part != null) {
          parts.add(new Condition.Match(part));
        }
      }
      condition = parts.size() < 2 ? null : new Condition.Or(parts);
    } else {
      int filters = 1 + random.nextInt(index.columns().size());
      for (int i = 0; i < filters; i++) {
        ColumnPredicate predicate = predicate(index.columns().get(i));
        if (predicate != null) {
          predicates.add(predicate);
        }
      }
    }
    boolean ordered = random.nextInt(3) == 0;
    byte[] bound = random.nextInt(3) == 0 ? randomKey() : null;
    boolean lower = random.nextBoolean();
    ScanSpec spec =
        new ScanSpec(
                projection(index),
                predicates,
                snapshot,
                -1,
                lower ? bound : null,
                lower ? null : bound,
                null,
                ordered,
                false,
                Long.MAX_VALUE)
            .withCondition(condition);
    List<String> expected = read(spec.withIndexHint(IndexHint.NONE));
    IndexHint hint = random.nextInt(4) == 0 ? IndexHint.CHOSEN : IndexHint.FORCED;
    assertThat(read(spec.withIndexHint(hint)))
        .describedAs("%s, %s at %d, read: %s", index, predicates, snapshot, spec)
        .isEqualTo(expected);
  }

  /**
   * All columns, or only columns of the index, so that the scan may read the index instead of the
   * rows.
   */
  private Schema projection(IndexDefinition index) {
    if (random.nextBoolean()) {
      return tablet.schema();
    }
    List<ColumnSchema> columns = new ArrayList<>();
    for (int id : index.allColumns()) {
      int column = tablet.schema().indexOfId(id);
      if (column >= 0 && random.nextBoolean()) {
        columns.add(tablet.schema().column(column).toBuilder().key(false).build());
      }
    }
    return new Schema(columns);
  }

  /** The key of a row; null if there are no rows. */
  private byte[] randomKey() throws IOException {
    Schema none = new Schema(List.of());
    long limit = 1L + random.nextInt(50);
    ScanSpec spec =
        new ScanSpec(
            none, List.of(), tablet.latestSnapshot(), -1, null, null, null, true, true, limit);
    try (TabletScanner scanner = tablet.scan(spec);
        ColumnBatch batch = new ColumnBatch(allocator, none)) {
      boolean more = true;
      while (more) {
        more = scanner.next(batch, Long.MAX_VALUE);
      }
      return scanner.lastKey();
    }
  }

  private List<String> read(ScanSpec spec) throws IOException {
    try (TabletScanner scanner = tablet.scan(spec)) {
      List<String> rows = TabletScanText.drain(scanner, spec.projection(), allocator);
      if (!spec.ordered()) {
        Collections.sort(rows);
      }
      return rows;
    }
  }

  /** A predicate on a column, with values of existing rows; null if there are none. */
  private ColumnPredicate predicate(int columnId) throws IOException {
    ColumnSchema column = tablet.schema().column(tablet.schema().indexOfId(columnId));
    List<byte[]> values = values(column);
    if (values.isEmpty()) {
      return null;
    }
    byte[] some = values.get(random.nextInt(values.size()));
    byte[] other = values.get(random.nextInt(values.size()));
    return switch (random.nextInt(7)) {
      case 0 -> new ColumnPredicate.InList(column, List.of(some, other));
      case 1 -> {
        boolean rising = CellOrder.compare(column.type(), some, other) < 0;
        yield new ColumnPredicate.Range(column, rising ? some : other, rising ? other : some);
      }
      case 2 -> new ColumnPredicate.Range(column, some, null);
      case 3 -> new ColumnPredicate.Range(column, null, some);
      case 4 -> column.isNullable() ? new ColumnPredicate.IsNull(column) : null;
      default -> new ColumnPredicate.Equality(column, some);
    };
  }

  /** The values at the latest snapshot. */
  private List<byte[]> values(ColumnSchema column) throws IOException {
    List<byte[]> values = new ArrayList<>();
    Schema only = new Schema(List.of(column.toBuilder().key(false).build()));
    try (TabletScanner scanner = tablet.scan(ScanSpec.of(only, tablet.latestSnapshot()));
        ColumnBatch batch = new ColumnBatch(allocator, only)) {
      boolean more = true;
      while (more) {
        more = scanner.next(batch, Long.MAX_VALUE);
      }
      for (int row = 0; row < batch.rowCount(); row++) {
        if (!batch.column(0).isNull(row)) {
          byte[] cell = new byte[batch.column(0).cellLength(row)];
          Memory.copy(batch.column(0).cellAddress(row), cell, 0, cell.length);
          values.add(cell);
        }
      }
    }
    return values;
  }
}

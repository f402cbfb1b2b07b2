package dev.kudu4j.tablet.scan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.expression.Aggregate;
import dev.kudu4j.common.expression.Aggregation;
import dev.kudu4j.common.expression.Condition;
import dev.kudu4j.common.expression.Expression;
import dev.kudu4j.common.expression.LikePattern;
import dev.kudu4j.common.expression.RowEvaluator;
import dev.kudu4j.common.expression.TopN;
import dev.kudu4j.common.predicate.ColumnPredicate;
import dev.kudu4j.common.predicate.ColumnPredicates;
import dev.kudu4j.common.schema.CellOrder;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.batch.ColumnBatch;
import dev.kudu4j.tablet.delta.RowChange;
import dev.kudu4j.tablet.scan.aggregate.AggregateModel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.Consumer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * A random scan after a random history of inserts, updates, deletes, reinserts, flushes and
 * alterations returns the rows of the model.
 */
class ScanHistoryTest {
  private static final int[] BATCH_ROWS = {1, 3, 64, 200, 4096};
  private static final DataType[] ADDED = {
    DataType.INT16, DataType.STRING, DataType.FLOAT, DataType.UINT32
  };

  @Property(tries = 60)
  void anyScanOfAnyHistoryReadsLikeTheModel(@ForAll long seed) throws IOException {
    Path directory = Files.createTempDirectory("scan-history");
    try {
      History history = new History(seed, directory);
      history.run(history.isLarge() ? 2500 : 80 + (int) Math.floorMod(seed, 300L), 12);
    } finally {
      deleteTree(directory);
    }
  }

  /** One run: a random history on the parts and on the model, then random scans. */
  private static final class History {
    private final Random random;
    private final long seed;
    private final RowModel model = new RowModel();
    private final Path directory;
    private final int keySpace;
    private final Map<String, Integer> livePlaces = new HashMap<>();
    private long now = 100;
    private int changes;

    History(long seed, Path directory) {
      this.seed = seed;
      this.random = new Random(seed);
      this.directory = directory;
      this.keySpace = random.nextInt(6) == 0 ? 1500 : 1 + random.nextInt(60);
    }

    /** Whether the history has many keys and few flushes, and so large blocks. */
    boolean isLarge() {
      return keySpace > 60;
    }

    void run(int steps, int scans) throws IOException {
      int batchRows = BATCH_ROWS[random.nextInt(BATCH_ROWS.length)];
      int pageBytes = random.nextBoolean() ? 128 : 4096;
      Schema schema =
          new Schema(
              List.of(
                  ColumnSchema.builder("k", DataType.INT8).id(0).key(true).build(),
                  ColumnSchema.builder("t", DataType.STRING).id(1).key(true).build(),
                  TabletParts.column(2, "i", DataType.INT32, false),
                  TabletParts.column(3, "s", DataType.STRING, true),
                  TabletParts.column(4, "d", DataType.DOUBLE, true),
                  TabletParts.column(5, "b", DataType.BOOL, false),
                  TabletParts.column(6, "w", DataType.DECIMAL128, true)));
      try (TabletParts parts = new TabletParts(directory, schema, batchRows, pageBytes)) {
        for (int i = 0; i < steps; i++) {
          step(parts);
        }
        for (int i = 0; i < scans; i++) {
          scan(parts);
          aggregate(parts);
          top(parts);
        }
      }
    }

    private void step(TabletParts parts) throws IOException {
      now += random.nextInt(3) == 0 ? 0 : 1 + random.nextInt(5);
      int kind = random.nextInt(isLarge() ? 500 : 40);
      if (kind == 0) {
        flushStep(parts);
      } else if (kind <= 2 && parts.diskCount() > 0) {
        parts.flushDeltasStep(random.nextInt(parts.diskCount()));
      } else if (kind == 3 && parts.schema().columnCount() < 11) {
        addColumn(parts);
      } else {
        write(parts);
      }
    }

    private void flushStep(TabletParts parts) throws IOException {
      boolean writes = parts.hasFrozenRows();
      parts.flushStep();
      livePlaces.replaceAll(
          (key, place) -> {
            int from = writes ? -1 : -2;
            int to = writes ? parts.diskCount() - 1 : -1;
            return place == from ? to : place;
          });
    }

    private void addColumn(TabletParts parts) {
      List<ColumnSchema> columns = new ArrayList<>(parts.schema().columns());
      int id = columns.size();
      ColumnSchema plain =
          TabletParts.column(id, "a" + id, ADDED[id % ADDED.length], random.nextBoolean());
      boolean withDefault = !plain.isNullable() || random.nextBoolean();
      columns.add(withDefault ? plain.toBuilder().readDefault(cell(plain.type())).build() : plain);
      parts.alter(new Schema(columns));
    }

    private void write(TabletParts parts) throws IOException {
      Schema schema = parts.schema();
      byte[][] cells = newRow(schema);
      byte[] key = TabletParts.key(schema, cells);
      byte[][] before = model.latest(key);
      List<Integer> places = parts.placesOf(key);
      if (before == null) {
        insert(parts, key, cells, places);
        return;
      }
      int place = livePlace(key);
      if (random.nextInt(4) == 0) {
        mutate(parts, place, key, RowChange.DELETE, List.of(), null);
      } else {
        byte[][] after = new byte[schema.columnCount()][];
        List<Integer> changed = new ArrayList<>();
        for (int id = 0; id < after.length; id++) {
          boolean isKey = schema.column(schema.indexOfId(id)).isKey();
          boolean change = !isKey && random.nextInt(3) == 0;
          after[id] = change ? cells[id] : RowModel.cell(before, schema, id);
          if (change) {
            changed.add(id);
          }
        }
        Collections.shuffle(changed, random);
        mutate(parts, place, key, RowChange.UPDATE, changed, after);
      }
    }

    private int livePlace(byte[] key) {
      return livePlaces.get(Arrays.toString(key));
    }

    private void insert(TabletParts parts, byte[] key, byte[][] cells, List<Integer> places)
        throws IOException {
      boolean reinsert = places.contains(-2) || (!places.isEmpty() && random.nextBoolean());
      if (reinsert) {
        int place = places.contains(-2) ? -2 : places.get(random.nextInt(places.size()));
        List<Integer> nonKeys = new ArrayList<>();
        for (int id = 2; id < cells.length; id++) {
          nonKeys.add(id);
        }
        livePlaces.put(Arrays.toString(key), place);
        mutate(parts, place, key, RowChange.REINSERT, nonKeys, cells);
      } else {
        parts.insert(key, cells, now);
        livePlaces.put(Arrays.toString(key), -2);
        model.put(key, now, cells);
      }
    }

    private void mutate(
        TabletParts parts, int place, byte[] key, byte kind, List<Integer> columns, byte[][] cells)
        throws IOException {
      parts.mutate(place, key, kind, columns, cells, now, changes++);
      model.put(key, now, cells);
    }

    private byte[][] newRow(Schema schema) {
      byte[][] cells = new byte[schema.columnCount()][];
      int n = random.nextInt(keySpace);
      cells[0] = new byte[] {(byte) (n % 7 - 3)};
      byte[] text = {(byte) n, 0, (byte) (n >> 8), (byte) (n >> 2)};
      cells[1] = Arrays.copyOf(text, isLarge() ? 3 : n % 5);
      for (int id = 2; id < cells.length; id++) {
        ColumnSchema column = schema.column(id);
        boolean isNull = column.isNullable() && random.nextInt(3) == 0;
        cells[id] = isNull ? null : cell(column.type());
      }
      return cells;
    }

    private byte[] cell(DataType type) {
      if (type.isVariableLength()) {
        byte[] text = new byte[random.nextInt(10) == 0 ? 300 : random.nextInt(5)];
        Arrays.fill(text, (byte) ('a' + random.nextInt(4)));
        return text;
      }
      byte[] cell = new byte[type.width()];
      if (type == DataType.DOUBLE) {
        double[] values = {0.0, -0.0, 1.5, -7, Double.NaN, Double.POSITIVE_INFINITY};
        LittleEndian.putLong(
            cell, 0, Double.doubleToRawLongBits(values[random.nextInt(values.length)]));
      } else if (type == DataType.BOOL) {
        cell[0] = (byte) random.nextInt(2);
      } else {
        cell[0] = (byte) random.nextInt(6);
        cell[cell.length - 1] = (byte) (random.nextInt(3) - 1);
      }
      return cell;
    }

    private void scan(TabletParts parts) throws IOException {
      ScanSpec spec = withCondition(randomSpec(parts.schema()), parts.schema());
      List<String> expected = expected(parts.schema(), spec);
      List<String> read = new ArrayList<>();
      byte[] lastKey = read(parts, spec, read);
      boolean ordered = spec.ordered() || spec.diffStart() >= 0;
      boolean cut = expected.size() > spec.limit();
      String what = "seed " + seed + " " + spec;
      if (ordered) {
        List<String> wanted = cut ? expected.subList(0, (int) spec.limit()) : expected;
        assertThat(read).describedAs(what).containsExactlyElementsOf(wanted);
      } else if (cut) {
        assertThat(read).describedAs(what).hasSize((int) spec.limit());
        assertThat(expected).describedAs(what).containsAll(read);
      } else {
        assertThat(read).describedAs(what).containsExactlyInAnyOrderElementsOf(expected);
      }
      if (ordered && !read.isEmpty()) {
        assertThat(lastKey).describedAs(what).isEqualTo(expectedLastKey(parts.schema(), spec));
      }
    }

    /** A random aggregation of a random scan equals the aggregation of the model's rows. */
    private void aggregate(TabletParts parts) throws IOException {
      Schema schema = parts.schema();
      ScanSpec any = randomSpec(schema);
      ScanSpec spec = withCondition(withoutLimitOrderAndDiff(any, any.projection()), schema);
      Aggregation aggregates =
          AggregateModel.randomSpec(schema, random, () -> condition(schema, 2));
      List<byte[][]> rows = new ArrayList<>();
      model
          .rows()
          .forEach(
              (key, versions) -> {
                byte[][] cells = shown(key, versions, schema, spec);
                if (cells != null) {
                  byte[][] all = new byte[schema.columnCount()][];
                  for (int id = 0; id < all.length; id++) {
                    all[id] = RowModel.cell(cells, schema, id);
                  }
                  rows.add(all);
                }
              });
      AggregateModel.assertFound(
          parts.aggregate(spec, aggregates),
          rows,
          aggregates,
          "seed " + seed + " " + spec + " " + aggregates);
      Aggregation sent = sent(aggregates);
      List<List<byte[]>> groups = new ArrayList<>();
      if (!sent.aggregates().isEmpty()) {
        read(parts, spec.withAggregation(sent), sent.resultColumns(), groups::add);
        AggregateModel.assertFound(
            AggregateModel.results(groups, sent),
            rows,
            sent,
            "scanner, seed " + seed + " " + spec + " " + sent);
      }
    }

    /** A copy of {@code any} as a plain scan: no limit, no order, no diff start. */
    private static ScanSpec withoutLimitOrderAndDiff(ScanSpec any, Schema projection) {
      return new ScanSpec(
          projection,
          any.diffStart() >= 0 ? List.of() : any.predicates(),
          any.snapshot(),
          -1,
          any.lowerKey(),
          any.upperKey(),
          any.afterKey(),
          false,
          false,
          Long.MAX_VALUE,
          any.keys());
    }

    /**
     * The first rows of a random scan in a random order are rows of the model, and the model has no
     * earlier rows.
     */
    private void top(TabletParts parts) throws IOException {
      Schema schema = parts.schema();
      List<ColumnSchema> columns = new ArrayList<>(schema.columns());
      Collections.shuffle(columns, random);
      columns = columns.subList(0, 1 + random.nextInt(columns.size()));
      ScanSpec spec =
          withCondition(
              withoutLimitOrderAndDiff(randomSpec(schema), new Schema(List.copyOf(columns))),
              schema);
      List<TopN.Order> order = new ArrayList<>();
      for (ColumnSchema column : columns.subList(0, 1 + random.nextInt(columns.size()))) {
        order.add(new TopN.Order(column, random.nextBoolean(), random.nextBoolean()));
      }
      Collections.shuffle(order, random);
      TopN top = new TopN(order, 1 + random.nextInt(random.nextBoolean() ? 5 : 2 * keySpace));
      List<List<byte[]>> all = new ArrayList<>();
      read(parts, spec, spec.projection(), all::add);
      List<List<byte[]>> first = new ArrayList<>();
      read(parts, spec.withTop(top), spec.projection(), first::add);

      String what = "seed " + seed + " " + spec.withTop(top);
      assertThat(first).describedAs(what).hasSize(Math.min(top.count(), all.size()));
      List<String> unused = new ArrayList<>(all.stream().map(TabletParts::text).toList());
      for (List<byte[]> row : first) {
        assertThat(unused.remove(TabletParts.text(row))).describedAs(what).isTrue();
      }
      Comparator<List<byte[]>> inOrder = (a, b) -> compare(a, b, top, spec.projection());
      all.sort(inOrder);
      for (int i = 0; i < first.size(); i++) {
        assertThat(compare(first.get(i), all.get(i), top, spec.projection()))
            .describedAs(what + " row " + i)
            .isZero();
      }
    }

    private static int compare(List<byte[]> a, List<byte[]> b, TopN top, Schema projection) {
      for (TopN.Order order : top.order()) {
        int index = projection.indexOfId(order.column().id());
        int compared = order.compare(a.get(index), b.get(index));
        if (compared != 0) {
          return compared;
        }
      }
      return 0;
    }

    /** The aggregation that a client would send: no AVG, and each grouping column once. */
    private static Aggregation sent(Aggregation aggregation) {
      return new Aggregation(
          aggregation.groupBy().stream().distinct().toList(),
          aggregation.aggregates().stream()
              .filter(aggregate -> aggregate.function() != Aggregate.Function.AVG)
              .toList());
    }

    private ScanSpec withCondition(ScanSpec spec, Schema schema) {
      return spec.diffStart() < 0 && random.nextBoolean()
          ? spec.withCondition(condition(schema, 3))
          : spec;
    }

    /** A tree of at most the given depth. */
    private Condition condition(Schema schema, int depth) {
      if (depth > 0 && random.nextInt(3) > 0) {
        List<Condition> parts = new ArrayList<>();
        for (int i = random.nextInt(4); i >= 0; i--) {
          parts.add(condition(schema, depth - 1));
        }
        return switch (random.nextInt(3)) {
          case 0 -> new Condition.And(parts);
          case 1 -> new Condition.Or(parts);
          default -> new Condition.Not(parts.get(0));
        };
      }
      Condition.Comparison[] all = Condition.Comparison.values();
      Condition.Comparison comparison = all[random.nextInt(all.length)];
      List<ColumnSchema> numbers =
          schema.columns().stream().filter(c -> c.type().isNumber()).toList();
      return switch (random.nextInt(6)) {
        case 5 -> sample(schema);
        case 0 -> new Condition.Like(schema.column(random.nextBoolean() ? 1 : 3), pattern());
        case 1 ->
            new Condition.NumberComparison(
                comparison,
                AggregateModel.expression(numbers, random),
                random.nextBoolean()
                    ? AggregateModel.expression(numbers, random)
                    : Expression.literal(String.valueOf(random.nextInt(5) / 2.0)));
        case 2 -> {
          ColumnSchema left = schema.column(random.nextInt(schema.columnCount()));
          List<ColumnSchema> comparable =
              schema.columns().stream().filter(c -> Condition.areComparable(left, c)).toList();
          yield new Condition.ColumnComparison(
              comparison, left, comparable.get(random.nextInt(comparable.size())));
        }
        default -> new Condition.Match(predicate(schema));
      };
    }

    private Condition sample(Schema schema) {
      List<ColumnSchema> columns = new ArrayList<>(schema.columns());
      columns.removeIf(column -> column.type().isFloating());
      Collections.shuffle(columns, random);
      columns =
          random.nextBoolean()
              ? schema.columns().subList(0, schema.keyColumnCount())
              : columns.subList(0, 1 + random.nextInt(3));
      double bound = random.nextInt(9) / 8.0;
      double other = random.nextInt(9) / 8.0;
      return new Condition.Sample(
          columns, Math.min(bound, other), Math.max(bound, other), random.nextInt(4));
    }

    private LikePattern pattern() {
      StringBuilder pattern = new StringBuilder();
      for (int i = random.nextInt(5); i > 0; i--) {
        pattern.append("%_abcd".charAt(random.nextInt(6)));
      }
      return LikePattern.of(pattern.toString());
    }

    private ScanSpec randomSpec(Schema schema) {
      List<ColumnSchema> projection = new ArrayList<>(schema.columns());
      Collections.shuffle(projection, random);
      projection = new ArrayList<>(projection.subList(0, random.nextInt(projection.size() + 1)));
      long snapshot = random.nextBoolean() ? now + 1 : 95 + random.nextLong(now - 90);
      boolean diff = random.nextInt(4) == 0;
      if (diff || random.nextInt(6) == 0) {
        projection.add(
            ColumnSchema.builder("gone", DataType.IS_DELETED).readDefault(new byte[1]).build());
      }
      List<ColumnPredicate> predicates = new ArrayList<>();
      while (!diff && random.nextInt(5) < 3) {
        predicates.add(predicate(schema));
      }
      boolean ordered = diff || random.nextBoolean();
      ScanSpec spec =
          new ScanSpec(
              new Schema(projection),
              predicates,
              snapshot,
              diff ? 95 + random.nextLong(snapshot - 94) : -1,
              random.nextInt(4) == 0 ? someKey(schema) : null,
              random.nextInt(4) == 0 ? someKey(schema) : null,
              random.nextInt(5) == 0 ? someKey(schema) : null,
              ordered,
              random.nextBoolean(),
              random.nextInt(4) == 0 ? random.nextInt(20) : Long.MAX_VALUE);
      return !ordered && random.nextInt(3) == 0 ? spec.withKeys(someKeys(schema)) : spec;
    }

    /** Distinct ascending keys: none to nearly all. */
    private List<byte[]> someKeys(Schema schema) {
      NavigableSet<byte[]> keys = new TreeSet<>(Arrays::compareUnsigned);
      int count = random.nextInt(random.nextBoolean() ? 4 : 2 * keySpace);
      for (int i = 0; i < count; i++) {
        keys.add(someKey(schema));
      }
      return List.copyOf(keys);
    }

    private byte[] someKey(Schema schema) {
      return TabletParts.key(schema, newRow(schema));
    }

    private ColumnPredicate predicate(Schema schema) {
      ColumnSchema column = schema.column(random.nextInt(schema.columnCount()));
      int id = column.id();
      byte[] a = id < 2 ? newRow(schema)[id] : cell(column.type());
      byte[] b = id < 2 ? newRow(schema)[id] : cell(column.type());
      return switch (random.nextInt(7)) {
        case 0 -> new ColumnPredicate.Equality(column, a);
        case 1 -> new ColumnPredicate.IsNull(column);
        case 2 -> new ColumnPredicate.IsNotNull(column);
        case 3 -> {
          List<byte[]> values = new ArrayList<>(List.of(a, b));
          values.sort((x, y) -> CellOrder.compare(column.type(), x, y));
          yield new ColumnPredicate.InList(column, values);
        }
        case 4 -> new ColumnPredicate.Range(column, a, b);
        case 5 -> new ColumnPredicate.Range(column, a, null);
        default -> new ColumnPredicate.Range(column, null, b);
      };
    }

    private List<String> expected(Schema schema, ScanSpec spec) {
      List<String> rows = new ArrayList<>();
      model
          .rows()
          .forEach(
              (key, versions) -> {
                byte[][] cells = shown(key, versions, schema, spec);
                if (cells != null) {
                  boolean gone = RowModel.at(versions, spec.snapshot()) == null;
                  rows.add(project(cells, gone, schema, spec));
                }
              });
      return rows;
    }

    private byte[] expectedLastKey(Schema schema, ScanSpec spec) {
      byte[] last = null;
      long left = spec.limit();
      for (Map.Entry<byte[], List<RowModel.Version>> row : model.rows().entrySet()) {
        if (left > 0 && shown(row.getKey(), row.getValue(), schema, spec) != null) {
          last = row.getKey();
          left--;
        }
      }
      return last;
    }

    /** The cells that the scan must return for a key, or null. */
    private byte[][] shown(
        byte[] key, List<RowModel.Version> versions, Schema schema, ScanSpec spec) {
      boolean inside =
          (spec.lowerKey() == null || Arrays.compareUnsigned(key, spec.lowerKey()) >= 0)
              && (spec.upperKey() == null || Arrays.compareUnsigned(key, spec.upperKey()) < 0)
              && (spec.afterKey() == null || Arrays.compareUnsigned(key, spec.afterKey()) > 0)
              && (spec.keys() == null
                  || spec.keys().stream().anyMatch(wanted -> Arrays.equals(wanted, key)));
      byte[][] cells = RowModel.at(versions, spec.snapshot());
      if (!inside) {
        return null;
      }
      if (spec.diffStart() >= 0) {
        byte[][] atStart = RowModel.at(versions, spec.diffStart());
        if (!RowModel.changedIn(versions, spec.diffStart(), spec.snapshot())) {
          return null;
        }
        return cells != null || atStart == null ? cells : lastLife(versions, spec.snapshot());
      }
      if (cells == null) {
        return null;
      }
      for (ColumnPredicate predicate : spec.predicates()) {
        byte[] cell = RowModel.cell(cells, schema, predicate.column().id());
        if (!ColumnPredicates.matches(predicate, cell)) {
          return null;
        }
      }
      boolean kept =
          spec.condition() == null
              || RowEvaluator.matches(
                  spec.condition(), column -> RowModel.cell(cells, schema, column.id()));
      return kept ? cells : null;
    }

    private static byte[][] lastLife(List<RowModel.Version> versions, long snapshot) {
      byte[][] last = null;
      for (RowModel.Version version : versions) {
        if (version.timestamp() < snapshot && version.cells() != null) {
          last = version.cells();
        }
      }
      return last;
    }

    /** Only the key of a ghost row is compared: it may have had several last versions. */
    private static String project(byte[][] cells, boolean gone, Schema schema, ScanSpec spec) {
      List<byte[]> row = new ArrayList<>();
      for (ColumnSchema column : spec.projection().columns()) {
        if (column.type() == DataType.IS_DELETED) {
          row.add(new byte[] {(byte) (gone ? 1 : 0)});
        } else {
          row.add(gone && !column.isKey() ? null : RowModel.cell(cells, schema, column.id()));
        }
      }
      return TabletParts.text(row);
    }

    private byte[] read(TabletParts parts, ScanSpec spec, List<String> rows) throws IOException {
      return read(parts, spec, spec.projection(), row -> rows.add(text(row, spec)));
    }

    private byte[] read(
        TabletParts parts, ScanSpec spec, Schema columns, Consumer<List<byte[]>> rows)
        throws IOException {
      long limitBytes = random.nextBoolean() ? 1 : 100_000;
      boolean oneBatch = random.nextBoolean();
      try (TabletScanner scanner = parts.scan(spec);
          ColumnBatch batch = new ColumnBatch(parts.allocator(), columns)) {
        boolean more;
        do {
          more = scanner.next(batch, limitBytes);
          if (!oneBatch || !more) {
            for (int i = 0; i < batch.rowCount(); i++) {
              rows.accept(TabletParts.row(batch, i));
            }
            batch.clear();
          }
        } while (more);
        return scanner.lastKey();
      }
    }

    private static String text(List<byte[]> row, ScanSpec spec) {
      int flag = -1;
      for (int i = 0; i < spec.projection().columnCount(); i++) {
        if (spec.projection().column(i).type() == DataType.IS_DELETED) {
          flag = i;
        }
      }
      if (flag >= 0 && row.get(flag)[0] == 1) {
        for (int c = 0; c < row.size(); c++) {
          if (c != flag && !spec.projection().column(c).isKey()) {
            row.set(c, null);
          }
        }
      }
      return TabletParts.text(row);
    }
  }

  private static void deleteTree(Path directory) {
    try {
      Files.walkFileTree(
          directory,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
              Files.delete(file);
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path dir, IOException failure)
                throws IOException {
              Files.delete(dir);
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

package dev.kudu4j.benchmarks.engine;

import dev.kudu4j.benchmarks.engine.EngineReport.Goal;
import dev.kudu4j.benchmarks.engine.EngineReport.Line;
import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.predicate.ColumnPredicate;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.batch.ColumnBatch;
import dev.kudu4j.tablet.scan.ScanSpec;
import dev.kudu4j.tablet.scan.TabletScanner;
import java.io.IOException;
import java.sql.PreparedStatement;
import java.time.LocalDate;
import java.util.List;

/** Before: scans with loops by hand. */
final class Queries implements Measurement {
  interface Sum {
    void add(ColumnBatch batch);
  }

  private final String title;
  private final String sql;
  private final double limit;
  private final int[] columns;
  private final java.util.function.Function<Schema, List<ColumnPredicate>> where;
  private final Sum sum;

  Queries(
      String title,
      String sql,
      double limit,
      int[] columns,
      java.util.function.Function<Schema, List<ColumnPredicate>> where,
      Sum sum) {
    this.title = title;
    this.sql = sql;
    this.limit = limit;
    this.columns = columns;
    this.where = where;
    this.sum = sum;
  }

  static byte[] date(String text) {
    byte[] cell = new byte[4];
    LittleEndian.putInt(cell, 0, (int) LocalDate.parse(text).toEpochDay());
    return cell;
  }

  static byte[] amount(ColumnSchema c, long hundredths) {
    byte[] cell = new byte[8];
    LittleEndian.putLong(
        cell,
        0,
        c.type() == DataType.DOUBLE ? Double.doubleToRawLongBits(hundredths / 100.0) : hundredths);
    return cell;
  }

  static Measurement countAll() {
    return new Queries(
        "COUNT(*)", "SELECT count(*) FROM lineitem", 1, new int[0], s -> List.of(), b -> {});
  }

  static Measurement nonKeyPredicate() {
    return new Queries(
        "non-key predicate",
        "SELECT count(*) FROM lineitem WHERE l_quantity = 48",
        0.5,
        new int[0],
        s -> List.of(new ColumnPredicate.Equality(s.column(4), amount(s.column(4), 4800))),
        b -> {});
  }

  static Measurement six() {
    return new Queries(
        "Q6",
        "SELECT sum(l_extendedprice * l_discount) FROM lineitem WHERE l_shipdate >= DATE '1994-01-01' AND l_shipdate < DATE '1995-01-01' AND l_discount BETWEEN 0.05 AND 0.07 AND l_quantity < 24",
        0.5,
        new int[] {5, 6},
        s ->
            List.of(
                new ColumnPredicate.Range(s.column(10), date("1994-01-01"), date("1995-01-01")),
                new ColumnPredicate.Range(
                    s.column(6), amount(s.column(6), 5), amount(s.column(6), 8)),
                new ColumnPredicate.Range(s.column(4), null, amount(s.column(4), 2400))),
        b -> {
          long total = 0;
          long x = b.column(0).dataAddress();
          long y = b.column(1).dataAddress();
          for (int i = 0; i < b.rowCount(); i++) {
            total += Memory.getLong(x + 8L * i) * Memory.getLong(y + 8L * i);
          }
          blackHole += total;
        });
  }

  static long blackHole;

  static Measurement one() {
    return new Queries(
        "Q1",
        "SELECT l_returnflag, l_linestatus, sum(l_quantity), sum(l_extendedprice), sum(l_extendedprice * (1 - l_discount)), sum(l_extendedprice * (1 - l_discount) * (1 + l_tax)), avg(l_quantity), avg(l_extendedprice), avg(l_discount), count(*) FROM lineitem WHERE l_shipdate <= DATE '1998-09-02' GROUP BY ALL ORDER BY ALL",
        0.5,
        new int[] {8, 9, 4, 5, 6, 7},
        s -> List.of(new ColumnPredicate.Range(s.column(10), null, date("1998-09-03"))),
        b -> {
          long[] acc = new long[8 * 4];
          for (int i = 0; i < b.rowCount(); i++) {
            int f = Memory.getByte(b.column(0).varlenAddress() + i);
            int l = Memory.getByte(b.column(1).varlenAddress() + i);
            int g = ((f == 'A' ? 0 : f == 'N' ? 1 : 2) + (l == 'F' ? 0 : 1)) * 8;
            long q = Memory.getLong(b.column(2).dataAddress() + 8L * i);
            long p = Memory.getLong(b.column(3).dataAddress() + 8L * i);
            long d = Memory.getLong(b.column(4).dataAddress() + 8L * i);
            long t = Memory.getLong(b.column(5).dataAddress() + 8L * i);
            acc[g] += q;
            acc[g + 1] += p;
            acc[g + 2] += p * (100 - d);
            acc[g + 3] += p * (100 - d) * (100 + t);
            acc[g + 4] += d;
            acc[g + 5]++;
          }
          blackHole += acc[2];
        });
  }

  @Override
  public String title() {
    return title;
  }

  private long ours(OurEngine ours) throws IOException {
    Schema schema = ours.table().schema();
    long rows = 0;
    ScanSpec spec =
        new ScanSpec(
            ours.table().columns(columns),
            where.apply(schema),
            ours.tablet().latestSnapshot(),
            -1,
            null,
            null,
            null,
            false,
            false,
            Long.MAX_VALUE);
    try (ColumnBatch batch = new ColumnBatch(ours.allocator(), spec.projection());
        TabletScanner scanner = ours.tablet().scan(spec)) {
      boolean more;
      do {
        batch.clear();
        more = scanner.next(batch, 128 << 10);
        rows += batch.rowCount();
        sum.add(batch);
      } while (more);
    }
    return rows;
  }

  @Override
  public void run(Engines engines, EngineReport report) throws Exception {
    try (PreparedStatement statement = engines.duckDb().prepare(sql)) {
      Timing.Pair pair = Timing.inTurn(() -> ours(engines.ours()), () -> DuckDb.rows(statement));
      report.add(
          new Line(
              title,
              "ms",
              pair.ours(),
              pair.theirs(),
              "DuckDB",
              limit == 1 ? Goal.AT_MOST : Goal.RATIO_AT_MOST,
              limit));
    }
  }
}

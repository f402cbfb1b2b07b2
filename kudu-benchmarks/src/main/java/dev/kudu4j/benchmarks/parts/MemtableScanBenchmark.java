package dev.kudu4j.benchmarks.parts;

import dev.kudu4j.benchmarks.parts.MemtableRows.Order;
import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.tablet.memrowset.MemRow;
import dev.kudu4j.tablet.memrowset.MemRowSet;
import dev.kudu4j.tablet.memrowset.RowFormat;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Iterating over a memtable in key order, and summing a cell of each row. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(MemtableRows.COUNT)
public class MemtableScanBenchmark {
  private static final int COLUMN = 7;

  @Param({"SORTED", "RANDOM"})
  public Order order;

  private MemtableRows rows;
  private MemRowSet memRowSet;
  private ConcurrentSkipListMap<byte[], byte[]> skipList;

  @Setup(Level.Trial)
  public void open() {
    rows = new MemtableRows(order);
    memRowSet = rows.fillMemRowSet();
    skipList = rows.fillSkipList();
  }

  @TearDown(Level.Trial)
  public void close() {
    memRowSet.close();
    rows.close();
  }

  @Benchmark
  public long memRowSet() {
    RowFormat format = memRowSet.format(0);
    MemRowSet.Cursor cursor = memRowSet.cursor();
    long sum = 0;
    while (cursor.next()) {
      long row = cursor.row();
      sum += Memory.getLong(format.cellAddress(row, COLUMN)) + MemRow.insertTimestamp(row);
    }
    return sum;
  }

  @Benchmark
  public long baselineSkipList() {
    long sum = 0;
    for (byte[] cells : skipList.values()) {
      sum += LittleEndian.getLong(cells, 8 * COLUMN);
    }
    return sum;
  }
}

package dev.kudu4j.benchmarks.parts;

import dev.kudu4j.benchmarks.parts.MemtableRows.Order;
import dev.kudu4j.tablet.memrowset.MemRowSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
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

/** Filling a memtable, one row at a time. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(MemtableRows.COUNT)
public class MemtableInsertBenchmark {
  @Param({"SORTED", "RANDOM"})
  public Order order;

  private MemtableRows rows;

  /** Off-heap bytes of the structure. */
  @State(Scope.Thread)
  @AuxCounters(AuxCounters.Type.EVENTS)
  public static class OffHeapBytes {
    private double bytes;

    public double bytesPerRow() {
      return bytes / MemtableRows.COUNT;
    }
  }

  @Setup(Level.Trial)
  public void open() {
    rows = new MemtableRows(order);
  }

  @TearDown(Level.Trial)
  public void close() {
    rows.close();
  }

  @Benchmark
  public long memRowSet(OffHeapBytes offHeapBytes) {
    try (MemRowSet filled = rows.fillMemRowSet()) {
      offHeapBytes.bytes = filled.bytes();
      return filled.rowCount();
    }
  }

  @Benchmark
  public ConcurrentSkipListMap<byte[], byte[]> baselineSkipList() {
    return rows.fillSkipList();
  }
}

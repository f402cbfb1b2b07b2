package dev.kudu4j.benchmarks.parts;

import dev.kudu4j.benchmarks.parts.MemtableRows.Order;
import dev.kudu4j.tablet.memrowset.MemRowSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Finding an existing row, with keys in an order that defeats caches. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class MemtableFindBenchmark {
  /**
   * Distance between successive keys. It is coprime with the number of rows, so that every row is
   * found in turn.
   */
  private static final int STEP = 277_603;

  @Param("RANDOM")
  public Order order;

  private MemtableRows rows;
  private MemRowSet memRowSet;
  private ConcurrentSkipListMap<byte[], byte[]> skipList;
  private int next;

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

  private byte[] nextKey() {
    next = (next + STEP) % MemtableRows.COUNT;
    return rows.key(next);
  }

  @Benchmark
  public long memRowSet() {
    byte[] key = nextKey();
    return memRowSet.find(key, 0, key.length);
  }

  @Benchmark
  public byte[] baselineSkipList() {
    return skipList.get(nextKey());
  }
}

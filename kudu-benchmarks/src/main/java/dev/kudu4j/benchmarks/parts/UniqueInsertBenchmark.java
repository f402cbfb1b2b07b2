package dev.kudu4j.benchmarks.parts;

import dev.kudu4j.common.index.Uniqueness;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
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

/**
 * Inserting a row with a new key and new values, in no order, into a tablet with some rowsets: with
 * two unique indexes, with two that are not, and with none.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class UniqueInsertBenchmark {
  private static final int ROWS = 2000;
  private static final int ROWS_OF_ROWSET = 100_000;

  /** A tablet; each iteration has a new one, because inserts fill its memory. */
  public abstract static class Inserts {
    private @Nullable IndexedTablet tablet;

    void open(int rowSets, @Nullable Uniqueness uniqueness) throws IOException {
      tablet = IndexedTablet.withRowSets(rowSets, ROWS_OF_ROWSET, uniqueness);
    }

    void insert() {
      if (tablet != null) {
        tablet.insert(ROWS);
      }
    }

    @TearDown(Level.Iteration)
    public void close() throws IOException {
      if (tablet != null) {
        tablet.close();
      }
    }
  }

  @State(Scope.Benchmark)
  public static class NoIndex extends Inserts {
    @Param({"1", "10"})
    public int rowSets;

    @Setup(Level.Iteration)
    public void open() throws IOException {
      open(rowSets, null);
    }
  }

  @State(Scope.Benchmark)
  public static class LocalIndex extends Inserts {
    @Param({"1", "10"})
    public int rowSets;

    @Setup(Level.Iteration)
    public void open() throws IOException {
      open(rowSets, Uniqueness.NOT_UNIQUE);
    }
  }

  @State(Scope.Benchmark)
  public static class UniqueIndex extends Inserts {
    @Param({"1", "10"})
    public int rowSets;

    @Setup(Level.Iteration)
    public void open() throws IOException {
      open(rowSets, Uniqueness.CHECKED);
    }
  }

  @Benchmark
  @OperationsPerInvocation(ROWS)
  public void uniqueIndexes(UniqueIndex state) {
    state.insert();
  }

  @Benchmark
  @OperationsPerInvocation(ROWS)
  public void localIndexes(LocalIndex state) {
    state.insert();
  }

  @Benchmark
  @OperationsPerInvocation(ROWS)
  public void baselineNoIndex(NoIndex state) {
    state.insert();
  }
}

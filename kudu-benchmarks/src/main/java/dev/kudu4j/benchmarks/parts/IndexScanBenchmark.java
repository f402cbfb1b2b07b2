package dev.kudu4j.benchmarks.parts;

import dev.kudu4j.tablet.scan.index.IndexHint;
import java.io.IOException;
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

/**
 * Reading, or counting, the rows of one value among a million rows: with an index, with the
 * engine's choice, and by a scan. The constants of the engine's choice come from these figures.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class IndexScanBenchmark {
  @Param({"NUMBER", "TEXT"})
  public IndexedTablet.Column column;

  @Param({"1", "10", "100", "1000", "10000"})
  public int matches;

  /** Whether rows are counted instead of read. */
  @Param({"false", "true"})
  public boolean counts;

  private IndexedTablet tablet;

  @Setup(Level.Trial)
  public void open() throws IOException {
    tablet = IndexedTablet.withMatches(matches);
  }

  @TearDown(Level.Trial)
  public void close() throws IOException {
    tablet.close();
  }

  @Benchmark
  public int indexForced() throws IOException {
    return tablet.read(tablet.scan(column, counts, IndexHint.FORCED));
  }

  @Benchmark
  public int indexChosen() throws IOException {
    return tablet.read(tablet.scan(column, counts, IndexHint.CHOSEN));
  }

  @Benchmark
  public int baselineScan() throws IOException {
    return tablet.read(tablet.scan(column, counts, IndexHint.NONE));
  }
}

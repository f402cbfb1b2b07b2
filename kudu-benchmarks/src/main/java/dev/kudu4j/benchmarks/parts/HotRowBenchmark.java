package dev.kudu4j.benchmarks.parts;

import dev.kudu4j.tablet.scan.ScanSpec;
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
 * Looking up a row that was updated a hundred thousand times, compared with a row that was updated
 * once.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class HotRowBenchmark {
  @Param({"MEM_ROW_SET", "DELTA_MEM_STORE", "REDO_FILE", "UNDO_FILE"})
  public HotRowTablet.Store store;

  @Param({"LATEST", "MIDDLE", "EARLY"})
  public HotRowTablet.State state;

  private HotRowTablet tablet;
  private ScanSpec hot;
  private ScanSpec once;

  @Setup(Level.Trial)
  public void open() throws IOException {
    tablet = new HotRowTablet(store);
    hot = tablet.lookUp(HotRowTablet.HOT, state);
    once = tablet.lookUp(HotRowTablet.ONCE, state);
  }

  @TearDown(Level.Trial)
  public void close() throws IOException {
    tablet.close();
  }

  @Benchmark
  public int updatedOften() throws IOException {
    return tablet.read(hot);
  }

  @Benchmark
  public int baselineUpdatedOnce() throws IOException {
    return tablet.read(once);
  }
}

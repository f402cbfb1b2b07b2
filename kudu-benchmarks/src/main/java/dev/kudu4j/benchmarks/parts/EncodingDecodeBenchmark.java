package dev.kudu4j.benchmarks.parts;

import dev.kudu4j.benchmarks.parts.EncodedColumn.Data;
import java.io.IOException;
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

/**
 * Reading a column from the page cache into vectors, for each encoding, compared with copying its
 * cells. One operation is one row.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class EncodingDecodeBenchmark {
  @Param public Data data;

  private EncodedColumn column;

  @Setup(Level.Trial)
  public void open() throws IOException {
    column = new EncodedColumn(data);
    column.prepare();
  }

  @TearDown(Level.Trial)
  public void close() throws IOException {
    column.close();
  }

  @Benchmark
  @OperationsPerInvocation(EncodedColumn.ROWS)
  public long decode() throws IOException {
    return column.decode();
  }

  @Benchmark
  @OperationsPerInvocation(EncodedColumn.ROWS)
  public long baselineCopy() throws IOException {
    return column.copy();
  }
}

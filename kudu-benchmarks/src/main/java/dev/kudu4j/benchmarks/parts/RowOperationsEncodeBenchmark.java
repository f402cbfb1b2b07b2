package dev.kudu4j.benchmarks.parts;

import dev.kudu4j.common.row.RowOperationsWriter;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Encoding rows into a write request; the baseline is the JDK's {@code DataOutputStream}. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(SixteenColumns.ROWS)
public class RowOperationsEncodeBenchmark {
  private final SixteenColumns rows = new SixteenColumns();
  private final RowOperationsWriter writer = rows.newWriter();
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(1 << 20);

  @Benchmark
  public int rowOperations() {
    writer.reset();
    rows.write(writer);
    return writer.rowsLength();
  }

  @Benchmark
  public int baselineDataStream() throws IOException {
    bytes.reset();
    DataOutputStream out = new DataOutputStream(bytes);
    rows.write(out);
    out.flush();
    return bytes.size();
  }
}

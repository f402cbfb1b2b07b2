package dev.kudu4j.benchmarks.parts;

import dev.kudu4j.common.row.RowOperationsWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Decoding a write request into rows; the baseline is the JDK's {@code DataInputStream}, which
 * creates a String for each text, whereas Kudu4j's reader only returns the position of the text.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(SixteenColumns.ROWS)
public class RowOperationsDecodeBenchmark {
  private RowOperationsWriter written;
  private byte[] streamed;

  @Setup
  public void write() throws IOException {
    SixteenColumns rows = new SixteenColumns();
    written = rows.newWriter();
    rows.write(written);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    rows.write(new DataOutputStream(bytes));
    streamed = bytes.toByteArray();
  }

  @Benchmark
  public long rowOperations() {
    return SixteenColumns.read(written.reader());
  }

  @Benchmark
  public long baselineDataStream() throws IOException {
    return SixteenColumns.read(new DataInputStream(new ByteArrayInputStream(streamed)));
  }
}

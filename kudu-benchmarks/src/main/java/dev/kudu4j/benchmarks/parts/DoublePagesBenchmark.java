package dev.kudu4j.benchmarks.parts;

import dev.kudu4j.common.schema.Encoding;
import java.io.IOException;
import java.util.Arrays;
import java.util.SplittableRandom;
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

/** Decoding, filtering and summing 256 MB of doubles, compared with a loop over the array. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(DoublePagesBenchmark.COUNT)
public class DoublePagesBenchmark {
  static final int COUNT = 32 << 20;
  private static final double TOLERANCE = 1e-9;

  /** The distribution of the numbers, which determines the encoding of their pages. */
  public enum Numbers {
    PLAIN("plain"),
    AMOUNTS("scaled decimal"),
    DICTIONARY("dictionary");

    private final String encoding;

    Numbers(String encoding) {
      this.encoding = encoding;
    }

    private double next(SplittableRandom random) {
      return switch (this) {
        case PLAIN -> random.nextDouble();
        case AMOUNTS -> random.nextInt(10_000_000) / 100.0;
        case DICTIONARY -> random.nextInt(500) * Math.PI;
      };
    }
  }

  @Param({"PLAIN", "AMOUNTS", "DICTIONARY"})
  public Numbers numbers;

  private double[] values;
  private PageStream stream;
  private NumberRange test;
  private double low;
  private double high;

  @Setup(Level.Trial)
  public void open() throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    values = new double[COUNT];
    Arrays.setAll(values, i -> numbers.next(random));
    double[] some = Arrays.copyOf(values, 1 << 20);
    Arrays.sort(some);
    low = some[some.length / 4];
    high = some[some.length * 3 / 4];
    test = new NumberRange(low, high);
    stream = PageStream.of(values, numbers == Numbers.PLAIN ? Encoding.PLAIN : Encoding.AUTO);
    if (!stream.encodingName().equals(numbers.encoding)) {
      throw new IllegalStateException(numbers + " is encoded as " + stream.encodingName());
    }
    double expected = baselineLoop();
    if (Math.abs(pages() - expected) > TOLERANCE * expected) {
      throw new IllegalStateException("Expected %s, found %s".formatted(expected, pages()));
    }
  }

  @TearDown(Level.Trial)
  public void close() throws IOException {
    stream.close();
  }

  @Benchmark
  public double pages() throws IOException {
    return stream.floatingSum(test);
  }

  @Benchmark
  public double pagesByRows() throws IOException {
    return stream.floatingSumByRows(test);
  }

  @Benchmark
  public double baselineLoop() {
    return sum(values, low, high);
  }

  /**
   * The baseline's filtered sum. It has no branch, because half of the branches would be
   * mispredicted.
   */
  private static double sum(double[] values, double low, double high) {
    double sum = 0;
    for (double value : values) {
      long kept = (value >= low ? 1L : 0L) & (value <= high ? 1L : 0L);
      sum += Double.longBitsToDouble(Double.doubleToRawLongBits(value) & -kept);
    }
    return sum;
  }
}

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

/** Decoding, filtering and summing 256 MB of integers, compared with a loop over the array. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(IntegerPagesBenchmark.COUNT)
public class IntegerPagesBenchmark {
  static final int COUNT = 32 << 20;

  /** The distribution of the numbers, which determines the encoding of their pages. */
  public enum Numbers {
    PLAIN("plain"),
    PACKED("frame of reference"),
    DICTIONARY("dictionary"),
    RUNS("run length"),
    RISING("delta");

    private final String encoding;

    Numbers(String encoding) {
      this.encoding = encoding;
    }

    private long next(SplittableRandom random, long before, int row) {
      return switch (this) {
        case PLAIN -> random.nextLong() >> 8; // sums must not overflow
        case PACKED -> random.nextInt(1 << 20);
        case DICTIONARY -> random.nextInt(500) * 0x1234_5678_9abcL;
        case RUNS -> row % 50 == 0 ? random.nextLong() >> 8 : before;
        case RISING -> before + random.nextInt(8);
      };
    }
  }

  @Param({"PLAIN", "PACKED", "DICTIONARY", "RUNS", "RISING"})
  public Numbers numbers;

  private long[] values;
  private PageStream stream;
  private NumberRange test;
  private long first;
  private long last;

  @Setup(Level.Trial)
  public void open() throws IOException {
    values = new long[COUNT];
    SplittableRandom random = new SplittableRandom(1);
    long before = 0;
    for (int row = 0; row < COUNT; row++) {
      before = numbers.next(random, before, row);
      values[row] = before;
    }
    long[] some = Arrays.copyOf(values, 1 << 20);
    if (numbers == Numbers.RISING) {
      Arrays.setAll(some, i -> values[i * (COUNT / some.length)]);
    }
    Arrays.sort(some);
    first = some[some.length / 4];
    last = some[some.length * 3 / 4];
    test = new NumberRange(first, last);
    stream = PageStream.of(values, numbers == Numbers.PLAIN ? Encoding.PLAIN : Encoding.AUTO);
    check(numbers.encoding, stream.encodingName());
    check(baselineLoop(), pages());
  }

  private static void check(Object expected, Object found) {
    if (!expected.equals(found)) {
      throw new IllegalStateException("Expected %s, found %s".formatted(expected, found));
    }
  }

  @TearDown(Level.Trial)
  public void close() throws IOException {
    stream.close();
  }

  @Benchmark
  public long pages() throws IOException {
    return stream.sum(test);
  }

  @Benchmark
  public long pagesByRows() throws IOException {
    return stream.sumByRows(test);
  }

  @Benchmark
  public long baselineLoop() {
    return sum(values, first, last);
  }

  /**
   * The baseline's filtered sum. It has no branch, because half of the branches would be
   * mispredicted.
   */
  private static long sum(long[] values, long first, long last) {
    long sum = 0;
    for (long value : values) {
      long outside = (value - first) | (last - value); // neither subtraction overflows
      sum += value & ~(outside >> 63);
    }
    return sum;
  }
}

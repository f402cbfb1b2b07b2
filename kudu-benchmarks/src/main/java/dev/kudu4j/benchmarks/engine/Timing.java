package dev.kudu4j.benchmarks.engine;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.concurrent.Callable;

/**
 * Measures two sides alternately, so that slow periods of the machine affect both. It measures the
 * CPU time of the calling thread, which does all the work of either side: elapsed time would
 * include the influence of other processes on a shared machine.
 */
final class Timing {
  private static final int WARM_UP = 10;
  private static final int ROUNDS = 15;
  private static final double NANOS_PER_MILLI = 1e6;

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private Timing() {}

  /**
   * Milliseconds of the best round of each side. The best is taken because other processes can only
   * make a round slower.
   */
  record Pair(double ours, double theirs) {}

  static Pair inTurn(Callable<?> ours, Callable<?> theirs) throws Exception {
    double[] oursMillis = new double[ROUNDS];
    double[] theirMillis = new double[ROUNDS];
    for (int round = -WARM_UP; round < ROUNDS; round++) {
      double our = millis(ours);
      double their = millis(theirs);
      if (round >= 0) {
        oursMillis[round] = our;
        theirMillis[round] = their;
      }
    }
    return new Pair(min(oursMillis), min(theirMillis));
  }

  private static double min(double[] values) {
    return Arrays.stream(values).min().getAsDouble();
  }

  private static double millis(Callable<?> work) throws Exception {
    long start = THREADS.getCurrentThreadCpuTime();
    work.call();
    return (THREADS.getCurrentThreadCpuTime() - start) / NANOS_PER_MILLI;
  }
}

package dev.kudu4j.benchmarks.engine;

import java.util.Arrays;
import java.util.concurrent.Callable;

/** Times two sides in turn, so that a slow second of the machine falls on both. */
final class Timing {
  private static final int WARM_UP = 10;
  private static final int ROUNDS = 15;
  private static final double NANOS_PER_MILLI = 1e6;

  private Timing() {}

  /** Milliseconds of the best round of each: what else runs on the machine only adds. */
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
    return new Pair(least(oursMillis), least(theirMillis));
  }

  private static double least(double[] values) {
    return Arrays.stream(values).min().getAsDouble();
  }

  private static double millis(Callable<?> work) throws Exception {
    long start = System.nanoTime();
    work.call();
    return (System.nanoTime() - start) / NANOS_PER_MILLI;
  }
}

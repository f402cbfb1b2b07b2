package dev.kudu4j.tablet.concurrency;

import org.jetbrains.kotlinx.lincheck.LinChecker;
import org.jetbrains.kotlinx.lincheck.strategy.stress.StressOptions;

/** How the programs of a check look and how often they run. */
final class Linearizability {
  /** Calls that only one thread may make. */
  static final String WRITER = "writer";

  private static final int PROGRAMS = Integer.getInteger("concurrency.programs", 4);
  private static final int RUNS = 1_000;

  private Linearizability() {}

  /**
   * Fails with the program and its results when they fit no order of the calls.
   *
   * @param structure has the operations; made anew for each run of a program
   * @param model the same operations, one at a time
   */
  static void check(Class<?> structure, Class<?> model) {
    LinChecker.check(
        structure,
        new StressOptions()
            .threads(2)
            .actorsBefore(4)
            .actorsPerThread(6)
            .actorsAfter(2)
            .iterations(PROGRAMS)
            .invocationsPerIteration(RUNS)
            .sequentialSpecification(model));
  }
}

package dev.kudu4j.itest.workload;

import java.util.Random;

/** One client of a workload; its steps follow one another. */
@FunctionalInterface
public interface Worker {
  /**
   * @return whether servers did what they were asked for
   * @throws Unavailable when they did not
   */
  boolean step(Store store, Random random) throws Unavailable;
}

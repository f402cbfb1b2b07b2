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

  /** How long it rests after a step: the servers are to suffer from faults, not from load. */
  default long restMillis() {
    return 8;
  }

  /**
   * Whether it would take the next step as a client that knows nothing yet. Others stay with the
   * leader that they know for as long as it answers, or may answer; these find the new one first.
   */
  default boolean wantsNewClient(Random random) {
    return false;
  }
}

package dev.kudu4j.itest.workload;

import java.util.Random;

/** One client of a workload; its steps are sequential. */
@FunctionalInterface
public interface Worker {
  /**
   * @return whether servers executed the request
   * @throws Unavailable if they did not
   */
  boolean step(Store store, Random random) throws Unavailable;

  /** The pause after a step: the servers should be under faults, not under load. */
  default long restMillis() {
    return 8;
  }

  /**
   * Whether the next step should use a client without any cached state. Other clients stay with the
   * leader that they know as long as it answers, or may answer; these find a new leader first.
   */
  default boolean wantsNewClient(Random random) {
    return false;
  }
}

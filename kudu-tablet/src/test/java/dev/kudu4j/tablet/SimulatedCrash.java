package dev.kudu4j.tablet;

/**
 * Ends the simulated process. It is an Error, so that the code under test does not catch it and
 * clean up.
 */
final class SimulatedCrash extends Error {
  private static final long serialVersionUID = 1L;

  SimulatedCrash(String point) {
    super(point);
  }
}

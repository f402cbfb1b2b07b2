package dev.kudu4j.tablet;

/** The process dies here. An Error, so that no code under test tidies up behind it. */
final class SimulatedCrash extends Error {
  private static final long serialVersionUID = 1L;

  SimulatedCrash(String point) {
    super(point);
  }
}

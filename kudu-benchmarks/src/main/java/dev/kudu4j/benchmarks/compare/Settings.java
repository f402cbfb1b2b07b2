package dev.kudu4j.benchmarks.compare;

/**
 * The number of measurements of a comparison.
 *
 * @param rounds number of measured rounds of each side
 * @param warmUpRounds number of warm-up rounds before the measured rounds; their results are
 *     discarded
 * @param starts number of measured starts of a fresh cluster
 */
record Settings(int rounds, int warmUpRounds, int starts) {
  Settings {
    if (rounds < 1 || warmUpRounds < 0 || starts < 0) {
      throw new IllegalArgumentException(
          "Rounds must be positive; warm-up rounds and starts must not be negative");
    }
  }
}

package dev.kudu4j.benchmarks.compare;

/**
 * The number of measurements of a comparison.
 *
 * @param rounds measured rounds of each side
 * @param warmUpRounds rounds before them, not counted
 * @param starts measured starts of a fresh cluster
 */
record Settings(int rounds, int warmUpRounds, int starts) {
  Settings {
    if (rounds < 1 || warmUpRounds < 0 || starts < 0) {
      throw new IllegalArgumentException(
          "Rounds must be positive; warm-up rounds and starts not negative");
    }
  }
}

package dev.kudu4j.master.placement;

/**
 * How many replicas of one tablet a location may hold: no majority, so that the tablet outlives the
 * location. Where there are too few locations for that, as few as can be.
 *
 * <pre>
 *   factor          1   3   5   7
 *   one location    1   3   5   7
 *   two             1   2   3   4      one of them must have the majority
 *   three or more   1   1   2   3
 * </pre>
 */
public final class LocationRule {
  private LocationRule() {}

  /** The most replicas in one location. */
  public static int mostPerLocation(int replicationFactor, int locations) {
    if (replicationFactor == 1 || locations <= 1) {
      return replicationFactor;
    }
    return locations == 2 ? (replicationFactor + 1) / 2 : (replicationFactor - 1) / 2;
  }
}

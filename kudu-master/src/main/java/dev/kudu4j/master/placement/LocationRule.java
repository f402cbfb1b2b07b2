package dev.kudu4j.master.placement;

/**
 * Limits the replicas of one tablet in one location: less than a majority, so that the tablet
 * survives the loss of the location. With too few locations for that, the limit is as low as
 * possible.
 *
 * <pre>
 *   factor          1   3   5   7
 *   one location    1   3   5   7
 *   two             1   2   3   4      one location must have the majority
 *   three or more   1   1   2   3
 * </pre>
 */
public final class LocationRule {
  private LocationRule() {}

  /** The most replicas of one tablet that one location may hold. */
  public static int maxPerLocation(int replicationFactor, int locations) {
    if (replicationFactor == 1 || locations <= 1) {
      return replicationFactor;
    }
    return locations == 2 ? (replicationFactor + 1) / 2 : (replicationFactor - 1) / 2;
  }
}

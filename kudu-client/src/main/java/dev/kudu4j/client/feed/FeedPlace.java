package dev.kudu4j.client.feed;

import java.util.Arrays;

/**
 * A position in the change feed of a tablet.
 *
 * @param timestamp changes below it are before the position
 * @param afterKey changes with this timestamp of rows up to this encoded key are before the
 *     position, too; null for none
 */
public record FeedPlace(long timestamp, byte[] afterKey) implements Comparable<FeedPlace> {
  /** Before all changes. */
  public static final FeedPlace BEGINNING = new FeedPlace(0, null);

  @Override
  public int compareTo(FeedPlace other) {
    int byTime = Long.compare(timestamp, other.timestamp);
    if (byTime != 0 || afterKey == null || other.afterKey == null) {
      return byTime != 0 ? byTime : Boolean.compare(afterKey != null, other.afterKey != null);
    }
    return Arrays.compareUnsigned(afterKey, other.afterKey);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FeedPlace place
        && timestamp == place.timestamp
        && Arrays.equals(afterKey, place.afterKey);
  }

  @Override
  public int hashCode() {
    return 31 * Long.hashCode(timestamp) + Arrays.hashCode(afterKey);
  }

  @Override
  public String toString() {
    return afterKey == null ? "at " + timestamp : "within " + timestamp;
  }
}

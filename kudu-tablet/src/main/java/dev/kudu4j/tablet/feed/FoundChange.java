package dev.kudu4j.tablet.feed;

import java.util.Arrays;

/**
 * A row that changed at a timestamp. Ordered by timestamp, then by key: the order of the feed.
 *
 * @param key encoded
 */
record FoundChange(long timestamp, byte[] key) implements Comparable<FoundChange> {
  @Override
  public int compareTo(FoundChange other) {
    int byTime = Long.compare(timestamp, other.timestamp);
    return byTime != 0 ? byTime : Arrays.compareUnsigned(key, other.key);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FoundChange change && compareTo(change) == 0;
  }

  @Override
  public int hashCode() {
    return 31 * Long.hashCode(timestamp) + Arrays.hashCode(key);
  }
}

package dev.kudu4j.client.cluster;

import dev.kudu4j.client.cluster.TableTablets.Cover;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * The known covers of partition keys: in order, without overlap, with unknown ranges between them.
 * Immutable, so it is read without a lock.
 */
final class LocationCache {
  static final LocationCache EMPTY = new LocationCache(new Cover[0], new long[0]);

  private final Cover[] covers;
  private final long[] expireNanos;

  private LocationCache(Cover[] covers, long[] expireNanos) {
    this.covers = covers;
    this.expireNanos = expireNanos;
  }

  int size() {
    return covers.length;
  }

  /** The cover of the key at {@code [0, length)} of the array, expired or not; null if unknown. */
  Cover find(byte[] key, int length) {
    int index = indexOf(key, length);
    return index < 0 ? null : covers[index];
  }

  /** The cover of the key; null if unknown or expired. */
  Cover findFresh(byte[] key, long now) {
    int index = indexOf(key, key.length);
    return index < 0 || now - expireNanos[index] >= 0 ? null : covers[index];
  }

  private int indexOf(byte[] key, int length) {
    Cover[] all = covers;
    int low = 0;
    int high = all.length - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      byte[] start = all[middle].start();
      if (Arrays.compareUnsigned(start, 0, start.length, key, 0, length) <= 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    if (high < 0) {
      return -1;
    }
    byte[] end = all[high].end();
    boolean inside =
        end.length == 0 || Arrays.compareUnsigned(end, 0, end.length, key, 0, length) > 0;
    return inside ? high : -1;
  }

  /**
   * A copy with the covers {@code newer}, which are in key order. Covers of this cache that overlap
   * the key range of {@code newer} are dropped.
   */
  LocationCache with(List<Cover> newer, long expire) {
    if (newer.isEmpty()) {
      return this;
    }
    byte[] start = newer.get(0).start();
    byte[] end = newer.get(newer.size() - 1).end();
    Builder builder = new Builder(covers.length + newer.size());
    int i = 0;
    for (; i < covers.length && endsBefore(covers[i], start); i++) {
      builder.add(covers[i], expireNanos[i]);
    }
    newer.forEach(cover -> builder.add(cover, expire));
    for (; i < covers.length; i++) {
      if (end.length > 0 && Arrays.compareUnsigned(covers[i].start(), end) >= 0) {
        builder.add(covers[i], expireNanos[i]);
      }
    }
    return builder.build();
  }

  private static boolean endsBefore(Cover cover, byte[] start) {
    return cover.end().length > 0 && Arrays.compareUnsigned(cover.end(), start) <= 0;
  }

  /** A cache without the cover of the key. */
  LocationCache without(byte[] key) {
    int index = indexOf(key, key.length);
    if (index < 0) {
      return this;
    }
    Builder builder = new Builder(covers.length);
    for (int i = 0; i < covers.length; i++) {
      if (i != index) {
        builder.add(covers[i], expireNanos[i]);
      }
    }
    return builder.build();
  }

  LocationCache withoutExpired(long now) {
    return where(i -> now - expireNanos[i] < 0);
  }

  LocationCache withoutGaps() {
    return where(i -> !covers[i].isGap());
  }

  private LocationCache where(IntPredicate stays) {
    Builder builder = new Builder(covers.length);
    for (int i = 0; i < covers.length; i++) {
      if (stays.test(i)) {
        builder.add(covers[i], expireNanos[i]);
      }
    }
    return builder.size() == covers.length ? this : builder.build();
  }

  private static final class Builder {
    private final List<Cover> covers;
    private final long[] expireNanos;

    Builder(int max) {
      covers = new ArrayList<>(max);
      expireNanos = new long[max];
    }

    void add(Cover cover, long expire) {
      expireNanos[covers.size()] = expire;
      covers.add(cover);
    }

    int size() {
      return covers.size();
    }

    LocationCache build() {
      return new LocationCache(
          covers.toArray(new Cover[0]), Arrays.copyOf(expireNanos, covers.size()));
    }
  }
}

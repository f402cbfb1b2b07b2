package dev.kudu4j.tablet.feed;

import org.jspecify.annotations.Nullable;

/**
 * A position in the change feed of a tablet: before the first change with a timestamp of at least
 * {@code timestamp}, or within the changes of this timestamp.
 *
 * @param timestamp all changes below it are before the position
 * @param afterKey the encoded key of a row; the changes with this timestamp of the rows up to this
 *     key are before the position, too. Null for none
 */
public record FeedPosition(long timestamp, byte @Nullable [] afterKey) {
  /** The position before all changes with a timestamp of at least {@code timestamp}. */
  public static FeedPosition at(long timestamp) {
    return new FeedPosition(timestamp, null);
  }
}

package dev.kudu4j.tablet.log;

import dev.kudu4j.common.status.KuduException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * How much of the changes that it is made of a derived tablet has.
 *
 * <pre>
 *   complete i64, big-endian | place
 * </pre>
 *
 * @param complete the tablet has the rows of all changes below this timestamp
 * @param place where the feed goes on, for its reader; within the changes at {@code complete}, or
 *     the progress of a build
 */
public record FeedMark(long complete, byte[] place) {
  /** The mark of a tablet that has nothing. */
  public static final FeedMark NOTHING = new FeedMark(0, new byte[0]);

  public byte[] toBytes() {
    return ByteBuffer.allocate(Long.BYTES + place.length).putLong(complete).put(place).array();
  }

  /** Reads what {@link #toBytes} returned. No bytes are {@link #NOTHING}. */
  public static FeedMark fromBytes(byte[] bytes) {
    if (bytes.length == 0) {
      return NOTHING;
    }
    if (bytes.length < Long.BYTES) {
      throw KuduException.corruption("The mark of a feed has %d bytes", bytes.length);
    }
    long complete = ByteBuffer.wrap(bytes).getLong();
    if (complete < 0) {
      throw KuduException.corruption("The mark of a feed is at %d", complete);
    }
    return new FeedMark(complete, Arrays.copyOfRange(bytes, Long.BYTES, bytes.length));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof FeedMark mark
        && complete == mark.complete
        && Arrays.equals(place, mark.place);
  }

  @Override
  public int hashCode() {
    return 31 * Long.hashCode(complete) + Arrays.hashCode(place);
  }
}

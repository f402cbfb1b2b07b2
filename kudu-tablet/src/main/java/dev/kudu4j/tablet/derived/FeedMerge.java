package dev.kudu4j.tablet.derived;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tablet.feed.FeedPosition;
import dev.kudu4j.tablet.log.FedRows;
import dev.kudu4j.tablet.log.FeedMark;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Merges the rows of several sources, each of which is read in the order of time, into the FEED
 * entries of a derived tablet. The entries have the rows of all sources in the order of time.
 *
 * <p>Rows are added once every source is known up to their timestamp: W is the lowest timestamp up
 * to which one is. A source may be known in part at a timestamp, so a transaction of any size is
 * added piece by piece. The tablet's {@link FeedMark} says which pieces it has:
 *
 * <pre>
 *   complete                            W
 *   place, for sources that are ahead   bytes of the id u16 | id UTF-8 | bytes of the key i32 | key
 *                                       -1 instead of a key: all rows at W
 * </pre>
 *
 * <p>Not thread-safe.
 */
public final class FeedMerge {
  private static final int ALL_OF_THE_TIMESTAMP = -1;

  /** Rows that are not yet in an entry, and what is known behind them. */
  private static final class Source {
    private final ArrayDeque<Part> parts = new ArrayDeque<>();
    private long bytes; // of the rows

    /** Where to read on. */
    private FeedPosition known;

    /** Everything before it is in entries. */
    private FeedPosition added;

    Source(FeedPosition start) {
      this.known = start;
      this.added = start;
    }
  }

  /**
   * Rows of one timestamp, which get into one entry.
   *
   * @param behind the position behind them
   */
  public record Part(FedRows.Group rows, FeedPosition behind) {}

  private final Map<String, Source> sources = new TreeMap<>();
  private FeedMark mark;

  /** If there are no sources: the time of which it is known that there are none. */
  private long knownWithoutSources;

  /**
   * @param ids of the sources
   * @param mark of the derived tablet
   * @throws KuduException CORRUPTION if the mark is none of a merge
   */
  public FeedMerge(List<String> ids, FeedMark mark) {
    this.mark = mark;
    Map<String, FeedPosition> ahead = placesOf(mark);
    for (String id : ids) {
      sources.put(id, new Source(ahead.getOrDefault(id, FeedPosition.at(mark.complete()))));
    }
  }

  /** The mark that the next entry continues. */
  public FeedMark mark() {
    return mark;
  }

  /** Where to go on reading a source. */
  public FeedPosition position(String source) {
    return source(source).known;
  }

  private Source source(String id) {
    Source source = sources.get(id);
    if (source == null) {
      throw new IllegalArgumentException("There is no source " + id);
    }
    return source;
  }

  /**
   * Takes what was read from a source.
   *
   * @param parts from {@link #position} on, in the order of their positions
   * @param next the position behind everything that was read
   */
  public void received(String id, List<Part> parts, FeedPosition next) {
    Source source = source(id);
    for (Part part : parts) {
      source.parts.add(part);
      source.bytes += part.rows.encodedBytes();
    }
    source.known = next;
  }

  /** The bytes of a source's rows that are in no entry yet. */
  public long bufferedBytes(String source) {
    return source(source).bytes;
  }

  /** Whether {@link #next} would return an entry with rows. */
  public boolean hasRows() {
    Source first = earliest();
    return first != null && first.parts.getFirst().rows.timestamp() <= known();
  }

  /** The timestamp up to which every source is known. */
  public long known() {
    return sources.values().stream()
        .mapToLong(source -> source.known.timestamp())
        .min()
        .orElse(Math.max(mark.complete(), knownWithoutSources));
  }

  public boolean hasNoSources() {
    return sources.isEmpty();
  }

  /** Says that there are no sources up to a time. Without any, nothing else moves W. */
  public void knownUpTo(long timestamp) {
    knownWithoutSources = timestamp;
  }

  private static FeedPosition after(long timestamp) {
    return FeedPosition.at(timestamp + 1);
  }

  /**
   * The next entry, with as many rows as may be added now; null if it would not change the mark. If
   * the tablet does not have this entry's mark afterwards, the merge must be made again from the
   * mark that it has.
   *
   * @param maxBytes the size of the rows of an entry, unless the first ones alone are larger
   */
  public @Nullable FedRows next(long maxBytes) {
    long complete = known();
    List<FedRows.Group> groups = new ArrayList<>();
    long bytes = 0;
    Source first = earliest();
    while (first != null && first.parts.getFirst().rows.timestamp() <= complete) {
      long size = first.parts.getFirst().rows.encodedBytes();
      bytes += size;
      if (bytes > maxBytes && !groups.isEmpty()) {
        break;
      }
      Part part = first.parts.removeFirst();
      first.bytes -= size;
      first.added = part.behind;
      groups.add(part.rows);
      first = earliest();
    }
    if (first != null) {
      complete = Math.min(complete, first.parts.getFirst().rows.timestamp());
    }
    FeedMark next = markAt(complete);
    if (next.equals(mark)) {
      return null;
    }
    FedRows entry = new FedRows(mark, next, groups);
    mark = next;
    return entry;
  }

  /** The source with the earliest rows; null if there are none. */
  private @Nullable Source earliest() {
    Source earliest = null;
    long timestamp = Long.MAX_VALUE;
    for (Source source : sources.values()) { // once for each group: no streams
      Part first = source.parts.peekFirst();
      if (first != null && first.rows.timestamp() < timestamp) {
        earliest = source;
        timestamp = first.rows.timestamp();
      }
    }
    return earliest;
  }

  private FeedMark markAt(long complete) {
    ByteBuffer place = ByteBuffer.allocate(placeBytes());
    sources.forEach(
        (id, source) -> {
          if (source.parts.isEmpty()) { // what is known behind the rows has none
            source.added = source.known;
          }
          putPlace(id, source.added, complete, place);
        });
    byte[] bytes = new byte[place.flip().remaining()];
    place.get(bytes);
    return new FeedMark(complete, bytes);
  }

  private int placeBytes() {
    return sources.entrySet().stream()
        .mapToInt(
            source -> {
              FeedPosition known = source.getValue().known;
              FeedPosition added = source.getValue().added;
              return 6
                  + source.getKey().getBytes(StandardCharsets.UTF_8).length
                  + Math.max(keyBytes(known), keyBytes(added));
            })
        .sum();
  }

  private static int keyBytes(FeedPosition position) {
    byte[] key = position.afterKey();
    return key == null ? 0 : key.length;
  }

  private static void putPlace(String id, FeedPosition added, long complete, ByteBuffer place) {
    byte[] key = added.afterKey();
    if (added.timestamp() > complete) {
      putId(id, place);
      place.putInt(ALL_OF_THE_TIMESTAMP);
    } else if (added.timestamp() == complete && key != null) {
      putId(id, place);
      place.putInt(key.length).put(key);
    } // else it has no rows between there and the timestamp, and none at the timestamp
  }

  private static void putId(String id, ByteBuffer place) {
    byte[] bytes = id.getBytes(StandardCharsets.UTF_8);
    place.putShort((short) bytes.length).put(bytes);
  }

  private static Map<String, FeedPosition> placesOf(FeedMark mark) {
    Map<String, FeedPosition> places = new TreeMap<>();
    ByteBuffer in = ByteBuffer.wrap(mark.place());
    try {
      while (in.hasRemaining()) {
        byte[] id = new byte[in.getShort() & 0xffff];
        in.get(id);
        int length = in.getInt();
        FeedPosition position = after(mark.complete());
        if (length != ALL_OF_THE_TIMESTAMP) {
          if (length < 0 || length > in.remaining()) {
            throw new BufferUnderflowException();
          }
          byte[] key = new byte[length];
          in.get(key);
          position = new FeedPosition(mark.complete(), key);
        }
        places.put(new String(id, StandardCharsets.UTF_8), position);
      }
    } catch (BufferUnderflowException e) {
      throw KuduException.corruption("The mark of a feed is damaged: %s", mark.complete());
    }
    return places;
  }
}

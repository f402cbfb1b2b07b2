package dev.kudu4j.tablet.rowset;

import dev.kudu4j.common.key.KeyPrefix;
import dev.kudu4j.tablet.file.BlockLocation;
import dev.kudu4j.tablet.file.FooterReader;
import dev.kudu4j.tablet.file.FooterWriter;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The top level of the key index. For each key page it has the location and the <em>separator</em>
 * before the page: a short string that is above the last key of the previous page and not above the
 * first key of this page. For each Bloom chunk it has the location and the first key page.
 * Immutable; part of the footer.
 *
 * <pre>
 *   smallest key | largest key
 *   page count i32 | per page: offset i64, bytes i32, row count i32, separator
 *   chunk count i32 | per chunk: offset i64, bytes i32, first key page i32
 *
 *   a key or separator is: length i32, bytes
 * </pre>
 */
public final class KeyIndex {
  private final byte @Nullable [] minKey; // null if there are no rows
  private final byte @Nullable [] maxKey;
  private final long[] offsets;
  private final int[] bytes;
  private final long[] firstOrdinals; // the last element is the row count
  private final byte[] separators; // concatenated
  private final int[] separatorEnds;
  private final long[] separatorPrefixes;
  private final long[] chunkOffsets;
  private final int[] chunkBytes;
  private final int[] chunkFirstPages;
  private final int[] chunkOfPage;

  KeyIndex(
      byte @Nullable [] minKey, byte @Nullable [] maxKey, List<Page> pages, List<Chunk> chunks) {
    this.minKey = minKey;
    this.maxKey = maxKey;
    int count = pages.size();
    offsets = new long[count];
    bytes = new int[count];
    firstOrdinals = new long[count + 1];
    separatorEnds = new int[count];
    separatorPrefixes = new long[count];
    int total = 0;
    for (Page page : pages) {
      total += page.separator.length;
    }
    separators = new byte[total];
    int end = 0;
    for (int i = 0; i < count; i++) {
      Page page = pages.get(i);
      offsets[i] = page.location.offset();
      bytes[i] = page.location.bytes();
      firstOrdinals[i + 1] = firstOrdinals[i] + page.rowCount;
      System.arraycopy(page.separator, 0, separators, end, page.separator.length);
      end += page.separator.length;
      separatorEnds[i] = end;
      separatorPrefixes[i] = KeyPrefix.of(page.separator);
    }
    chunkOffsets = new long[chunks.size()];
    chunkBytes = new int[chunks.size()];
    chunkFirstPages = new int[chunks.size()];
    for (int i = 0; i < chunks.size(); i++) {
      chunkOffsets[i] = chunks.get(i).location.offset();
      chunkBytes[i] = chunks.get(i).location.bytes();
      chunkFirstPages[i] = chunks.get(i).firstPage;
    }
    chunkOfPage = new int[count];
    for (int page = 0, chunk = 0; page < count; page++) {
      boolean next = chunk + 1 < chunkFirstPages.length && chunkFirstPages[chunk + 1] == page;
      chunk += next ? 1 : 0;
      chunkOfPage[page] = chunk;
    }
  }

  /** A key page while the index is built. */
  static final class Page {
    final BlockLocation location;
    final int rowCount;
    final byte[] separator;

    Page(BlockLocation location, int rowCount, byte[] separator) {
      this.location = location;
      this.rowCount = rowCount;
      this.separator = separator;
    }
  }

  /** A Bloom chunk while the index is built. */
  static final class Chunk {
    final BlockLocation location;
    final int firstPage;

    Chunk(BlockLocation location, int firstPage) {
      this.location = location;
      this.firstPage = firstPage;
    }
  }

  public byte @Nullable [] minKey() {
    return minKey;
  }

  public byte @Nullable [] maxKey() {
    return maxKey;
  }

  public long rowCount() {
    return firstOrdinals[offsets.length];
  }

  public int pageCount() {
    return offsets.length;
  }

  public BlockLocation location(int page) {
    return new BlockLocation(offsets[page], bytes[page]);
  }

  long offset(int page) {
    return offsets[page];
  }

  int blockBytes(int page) {
    return bytes[page];
  }

  public long firstOrdinal(int page) {
    return firstOrdinals[page];
  }

  public int rowCount(int page) {
    return (int) (firstOrdinals[page + 1] - firstOrdinals[page]);
  }

  /** The separator between the previous page and {@code page}. */
  public byte[] separator(int page) {
    return Arrays.copyOfRange(separators, separatorStart(page), separatorEnds[page]);
  }

  private int separatorStart(int page) {
    return page == 0 ? 0 : separatorEnds[page - 1];
  }

  public int chunkCount() {
    return chunkOffsets.length;
  }

  /** The locations of all Bloom chunks. */
  public List<BlockLocation> chunkLocations() {
    return IntStream.range(0, chunkCount()).mapToObj(this::chunkLocation).toList();
  }

  public BlockLocation chunkLocation(int chunk) {
    return new BlockLocation(chunkOffsets[chunk], chunkBytes[chunk]);
  }

  public int chunkFirstPage(int chunk) {
    return chunkFirstPages[chunk];
  }

  /** The chunk that covers the keys of the page. */
  public int chunkOf(int page) {
    return chunkOfPage[page];
  }

  /** The page that contains the ordinal. */
  int pageOf(long ordinal) {
    int found = Arrays.binarySearch(firstOrdinals, ordinal);
    return found >= 0 ? found : -found - 2;
  }

  /** The only page that may contain the key: the last page whose separator is not above the key. */
  int pageOf(byte[] key, int offset, int length) {
    long prefix = KeyPrefix.of(key, offset, length);
    int page = lastBelow(prefix);
    boolean decided = page + 1 == offsets.length || separatorPrefixes[page + 1] > prefix;
    return decided ? page : lastNotAbove(page, key, offset, length);
  }

  /**
   * The last page whose separator has a prefix below {@code prefix}, or page 0. The number of steps
   * is the same for every key and there are no unpredictable branches, so the processor can overlap
   * the searches of several keys.
   */
  private int lastBelow(long prefix) {
    int page = 0;
    for (int pages = offsets.length; pages > 1; pages -= pages >>> 1) {
      int middle = page + (pages >>> 1);
      page = separatorPrefixes[middle] < prefix ? middle : page;
    }
    return page;
  }

  private int lastNotAbove(int from, byte[] key, int offset, int length) {
    int low = from;
    int high = offsets.length - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (compareSeparator(middle, key, offset, length) <= 0) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  private int compareSeparator(int page, byte[] key, int offset, int length) {
    return Arrays.compareUnsigned(
        separators, separatorStart(page), separatorEnds[page], key, offset, offset + length);
  }

  void writeTo(FooterWriter footer) {
    footer.putBytes(minKey).putBytes(maxKey).putInt(pageCount());
    for (int page = 0; page < pageCount(); page++) {
      int start = separatorStart(page);
      footer
          .putLong(offsets[page])
          .putInt(bytes[page])
          .putInt(rowCount(page))
          .putBytes(separators, start, separatorEnds[page] - start);
    }
    footer.putInt(chunkCount());
    for (int chunk = 0; chunk < chunkCount(); chunk++) {
      footer.putLong(chunkOffsets[chunk]).putInt(chunkBytes[chunk]).putInt(chunkFirstPages[chunk]);
    }
  }

  static KeyIndex readFrom(FooterReader footer) {
    byte[] minKey = footer.getBytes();
    byte[] maxKey = footer.getBytes();
    Page[] pages = new Page[footer.getCount(20)];
    for (int i = 0; i < pages.length; i++) {
      BlockLocation location = new BlockLocation(footer.getLong(), footer.getInt());
      int rows = footer.getInt();
      byte[] separator = footer.getBytes();
      if (rows <= 0 || separator == null) {
        throw footer.broken("expected a key page with at least one row, found %d rows", rows);
      }
      pages[i] = new Page(location, rows, separator);
    }
    Chunk[] chunks = new Chunk[footer.getCount(16)];
    for (int i = 0; i < chunks.length; i++) {
      BlockLocation location = new BlockLocation(footer.getLong(), footer.getInt());
      int firstPage = footer.getInt();
      int min = i == 0 ? 0 : chunks[i - 1].firstPage + 1;
      if (firstPage < min || (i == 0 && firstPage > 0) || firstPage >= pages.length) {
        throw footer.broken("expected a chunk that starts at page %d, found %d", min, firstPage);
      }
      chunks[i] = new Chunk(location, firstPage);
    }
    if (pages.length > 0 && (minKey == null || maxKey == null || chunks.length == 0)) {
      throw footer.broken("expected key bounds and Bloom chunks, found %d chunks", chunks.length);
    }
    return new KeyIndex(minKey, maxKey, List.of(pages), List.of(chunks));
  }
}

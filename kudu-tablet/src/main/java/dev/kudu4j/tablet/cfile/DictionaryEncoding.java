package dev.kudu4j.tablet.cfile;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.batch.NumberVector;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The distinct cells of a page in ascending order, and one code per row.
 *
 * <pre>
 *   entry count i32 | bits of a code i32 | entries as {@link PlainEncoding} | 16 zeros
 *   codes, {@link LanePacking} or {@link BitPacking}
 * </pre>
 *
 * <p>A dictionary belongs to its page: each page can be read alone, and a page with many distinct
 * cells falls back to another encoding without affecting the other pages. Because entries ascend, a
 * range of cells is a range of codes.
 */
final class DictionaryEncoding extends PageEncoding {
  private static final int HEADER_BYTES = 8;

  private static final int SLACK_BYTES = TextDictionary.SLACK_BYTES;

  private static final int MAX_BITS = 16;

  @Override
  int number() {
    return 3;
  }

  @Override
  String name() {
    return "dictionary";
  }

  @Override
  boolean fits(DataType type) {
    return type.isVariableLength() || type.width() >= 4;
  }

  @Override
  boolean encode(ColumnVector cells, PageBuilder out, long maxBytes) {
    DictionaryBuilder dictionary = new DictionaryBuilder(cells);
    if (!dictionary.build(1 << MAX_BITS, maxBytes)) {
      return false;
    }
    int rows = cells.rowCount();
    int entries = dictionary.entryCount();
    int bits = BitPacking.bitsFor(entries - 1);
    boolean text = cells.type().isVariableLength();
    long bytes =
        HEADER_BYTES
            + (text ? 4L * (entries + 1) : 0)
            + dictionary.entryBytes()
            + SLACK_BYTES
            + PackedReader.bytes(rows, bits);
    if (bytes > maxBytes) {
      return false;
    }
    out.appendInt(entries);
    out.appendInt(bits);
    if (text) {
      appendOffsets(dictionary, cells, out);
    }
    for (int code = 0; code < entries; code++) {
      int row = dictionary.rowOf(code);
      out.append(cells.cellAddress(row), cells.cellLength(row));
    }
    out.appendZeros(SLACK_BYTES);
    long packed = out.appendZeros((int) PackedReader.bytes(rows, bits));
    for (int row = 0; row < rows; row++) {
      PackedReader.put(packed, rows, bits, row, dictionary.code(row));
    }
    return true;
  }

  private static void appendOffsets(
      DictionaryBuilder dictionary, ColumnVector cells, PageBuilder out) {
    int end = 0;
    out.appendInt(0);
    for (int code = 0; code < dictionary.entryCount(); code++) {
      end += cells.cellLength(dictionary.rowOf(code));
      out.appendInt(end);
    }
  }

  @Override
  PageDecoder decoder(DataType type) {
    return type.isVariableLength() ? new TextDecoder() : new FixedDecoder(type);
  }

  /** Reads the header and the codes; subclasses map codes to cells. */
  private abstract static class CodeDecoder extends PageDecoder {
    /** Rows per decoding step. Two int arrays of this size fit into the L1 cache. */
    static final int STEP = 2048;

    int[] codes = {}; // grows to the longest read so far; stays short for point reads
    final PackedReader packed = new PackedReader();
    private final MatchingCodes matching = new MatchingCodes();
    int entries;

    @Override
    final String details() {
      return "%d entries, codes of %d bits".formatted(entries, packed.bits());
    }

    /** Opens the header and the codes. The entries are between the header and the slack bytes. */
    final @Nullable String open(long address, int bytes, int rows, int minEntryBytes) {
      if (bytes < HEADER_BYTES) {
        return "dictionary: expected at least %d bytes, found %d".formatted(HEADER_BYTES, bytes);
      }
      entries = Memory.getInt(address);
      int bits = Memory.getInt(address + 4);
      matching.clear();
      if (entries < 1 || entries > 1 << MAX_BITS || bits != BitPacking.bitsFor(entries - 1)) {
        return "dictionary: expected codes for %d entries, found codes of %d bits"
            .formatted(entries, bits);
      }
      long behindEntries = SLACK_BYTES + PackedReader.bytes(rows, bits);
      long entryBytes = bytes - HEADER_BYTES - behindEntries;
      if (entryBytes < (long) entries * minEntryBytes) {
        return "dictionary: expected %d entries, found %d bytes of entries"
            .formatted(entries, entryBytes);
      }
      packed.open(address + HEADER_BYTES + entryBytes + SLACK_BYTES, rows, bits);
      String error = openEntries(address + HEADER_BYTES, entryBytes, behindEntries);
      boolean full = entries == 1 << bits; // every code of this width then has an entry
      return error != null || full || isKnownSound() ? error : checkCodes(rows);
    }

    /**
     * Checks that every code has an entry: a code without an entry would lead to a read outside the
     * page.
     */
    private @Nullable String checkCodes(int rows) {
      for (int first = 0; first < rows; first += STEP) {
        int step = Math.min(STEP, rows - first);
        makeRoom(step);
        packed.unpack(first, step, codes, 0);
        int largest = largest(codes, step);
        if (largest >= entries) {
          return "dictionary: expected codes below %d, found %d".formatted(entries, largest);
        }
      }
      return null;
    }

    /**
     * @param readable the number of bytes of the page after the entries
     */
    abstract @Nullable String openEntries(long address, long bytes, long readable);

    @Override
    final @Nullable String read(int first, int count, ColumnVector out) {
      for (int done = 0; done < count; done += STEP) {
        int step = Math.min(STEP, count - done);
        makeRoom(step);
        packed.unpack(first + done, step, codes, 0);
        append(step, out);
      }
      return null;
    }

    @Override
    final boolean filter(
        int first, int count, CellFilter cellFilter, long[] wanted, ColumnVector scratch) {
      MatchingCodes matching = matching(cellFilter, scratch);
      if (matching.isNone()) {
        Arrays.fill(wanted, 0, (count + 63) >>> 6, 0L);
      } else if (matching.isRange()) {
        if (matching.last() - matching.first() < entries - 1) {
          packed.retain(first, count, matching.first(), matching.last(), wanted);
        }
      } else {
        packed.retain(first, count, matching, wanted);
      }
      return true;
    }

    /** The codes that match the filter; cached for the last filter. */
    final MatchingCodes matching(CellFilter cellFilter, ColumnVector scratch) {
      if (!matching.isOf(cellFilter)) {
        readEntries(scratch);
        matching.find(cellFilter, scratch);
      }
      return matching;
    }

    @Override
    final int codeCount() {
      return entries;
    }

    @Override
    final void readCodes(int first, int count, int[] out, int at) {
      packed.unpack(first, count, out, at);
    }

    @Override
    final void readEntries(ColumnVector out) {
      for (int code = 0; code < entries; code += STEP) {
        int step = Math.min(STEP, entries - code);
        makeRoom(step);
        for (int i = 0; i < step; i++) {
          codes[i] = code + i;
        }
        append(step, out);
      }
    }

    final void makeRoom(int step) {
      codes = codes.length < step ? new int[step] : codes;
    }

    private static int largest(int[] codes, int count) {
      int largest = 0;
      for (int i = 0; i < count; i++) {
        largest = Math.max(largest, codes[i]);
      }
      return largest;
    }

    /** Appends the cells of the first {@code count} codes. */
    abstract void append(int count, ColumnVector out);
  }

  private static final class FixedDecoder extends CodeDecoder {
    private final DataType type;
    private final int width;
    private final @Nullable NumberDictionary numbers; // null if the cells are no numbers
    private final DictionarySum codeSum = new DictionarySum();
    private @Nullable CellFilter codeSumOf;
    private boolean hasCodeSum;
    private long cells;

    FixedDecoder(DataType type) {
      this.type = type;
      this.width = type.width();
      this.numbers = type.isNumber() ? new NumberDictionary() : null;
    }

    @Override
    @Nullable String open(long address, int bytes, int rows) {
      if (numbers != null) {
        numbers.clear();
      }
      hasCodeSum = false;
      return open(address, bytes, rows, width);
    }

    @Override
    @Nullable String openEntries(long address, long bytes, long readable) {
      cells = address;
      return bytes == (long) entries * width
          ? null
          : "dictionary: expected %d bytes, found %d".formatted((long) entries * width, bytes);
    }

    @Override
    boolean readNumbers(int first, int count, NumberVector out) {
      if (numbers == null) {
        return false;
      }
      numbers.load(type, cells, entries);
      for (int done = 0; done < count; done += STEP) {
        int step = Math.min(STEP, count - done);
        makeRoom(step);
        packed.unpack(first + done, step, codes, 0);
        numbers.append(codes, step, out);
      }
      return true;
    }

    @Override
    boolean sum(
        int first, int count, @Nullable CellFilter cellFilter, CellSum sum, ColumnVector scratch) {
      if (numbers == null) {
        return false;
      }
      if (cellFilter != null) {
        MatchingCodes matching = matching(cellFilter, scratch);
        if (matching.isNone() || !matching.isRange()) {
          return matching.isNone();
        }
      }
      loadCodeSum(numbers, cellFilter, scratch);
      if (codeSum.fits()) {
        codeSum.begin(sum);
        packed.visit(first, count, codeSum);
        codeSum.finish();
      }
      return codeSum.fits();
    }

    private void loadCodeSum(
        NumberDictionary known, @Nullable CellFilter cellFilter, ColumnVector scratch) {
      if (hasCodeSum && codeSumOf == cellFilter) {
        return;
      }
      known.load(type, cells, entries);
      int first = cellFilter == null ? 0 : matching(cellFilter, scratch).first();
      int last = cellFilter == null ? entries - 1 : matching(cellFilter, scratch).last();
      codeSum.load(known.numbers(), first, last);
      codeSumOf = cellFilter;
      hasCodeSum = true;
    }

    @Override
    boolean pickNumbers(int base, int[] rows, int from, int to, NumberVector out) {
      if (numbers == null) {
        return false;
      }
      numbers.load(type, cells, entries);
      makeRoom(to - from);
      for (int i = from; i < to; i++) {
        codes[i - from] = (int) packed.get(base + rows[i]);
      }
      numbers.append(codes, to - from, out);
      return true;
    }

    @Override
    void append(int count, ColumnVector out) {
      out.reserve(count, 0);
      long to = out.dataAddress() + (long) out.rowCount() * width;
      switch (width) {
        case 4 -> gatherInts(cells, codes, count, to);
        case 8 -> gatherLongs(cells, codes, count, to);
        default -> gatherPairs(cells, codes, count, to);
      }
      out.advance(count, 0);
    }

    private static void gatherInts(long cells, int[] codes, int count, long to) {
      for (int i = 0; i < count; i++) {
        Memory.putInt(to + 4L * i, Memory.getInt(cells + 4L * codes[i]));
      }
    }

    private static void gatherLongs(long cells, int[] codes, int count, long to) {
      for (int i = 0; i < count; i++) {
        Memory.putLong(to + 8L * i, Memory.getLong(cells + 8L * codes[i]));
      }
    }

    private static void gatherPairs(long cells, int[] codes, int count, long to) {
      for (int i = 0; i < count; i++) {
        Memory.putLong(to + 16L * i, Memory.getLong(cells + 16L * codes[i]));
        Memory.putLong(to + 16L * i + 8, Memory.getLong(cells + 16L * codes[i] + 8));
      }
    }
  }

  private static final class TextDecoder extends CodeDecoder {
    private final TextDictionary texts = new TextDictionary();

    @Override
    @Nullable String open(long address, int bytes, int rows) {
      return open(address, bytes, rows, 4);
    }

    @Override
    @Nullable String openEntries(long address, long bytes, long readable) {
      long offsetBytes = 4L * (entries + 1);
      if (bytes < offsetBytes) {
        return "dictionary: expected %d bytes, found %d".formatted(offsetBytes, bytes);
      }
      texts.open(address, entries, readable);
      return isKnownSound()
          ? null
          : PlainEncoding.checkOffsets(address, entries, bytes - offsetBytes);
    }

    @Override
    void append(int count, ColumnVector out) {
      texts.append(codes, count, out);
    }
  }
}

package dev.kudu4j.tablet.cfile;

import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.Compression;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.codec.Codec;
import dev.kudu4j.tablet.codec.Codecs;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the encoding of each page: the encoding that the column's schema requests if it fits the
 * data, otherwise the encoding that is fastest to decode unless a slower one is clearly smaller.
 * Each column writer has its own chooser, which remembers failed dictionary attempts and the symbol
 * tables of earlier pages.
 */
final class EncodingChooser {
  /** The number of pages without a dictionary attempt after a dictionary was too large. */
  private static final int BACKOFF_PAGES = 7;

  private final ColumnSchema column;
  private final DataType type;
  private final SymbolTables symbolTables = new SymbolTables();
  private int pagesWithoutDictionary;

  EncodingChooser(ColumnSchema column) {
    this.column = column;
    this.type = column.type();
  }

  /** Appends the encoded cells and returns the encoding. */
  PageEncoding encode(ColumnVector cells, PageBuilder out) {
    @Nullable PageEncoding wanted =
        switch (column.encoding()) {
          case PLAIN -> PageEncodings.PLAIN;
          case PREFIX -> PageEncodings.PREFIX;
          case RLE -> PageEncodings.RUN_LENGTH;
          case DICTIONARY -> PageEncodings.DICTIONARY;
          case BIT_SHUFFLE -> PageEncodings.BIT_SHUFFLE;
          case AUTO -> null;
        };
    if (wanted != null
        && wanted.fits(type)
        && tryEncode(wanted, cells, out, maxRequestedBytes(cells))) {
      return wanted;
    }
    if (type.isVariableLength()) {
      return encodeText(cells, out);
    }
    return Cells.areIntegers(type) ? encodeIntegers(cells, out) : encodeFixed(cells, out);
  }

  /**
   * The maximum size of a page in the encoding that the user requested: slightly above the plain
   * size.
   */
  private static long maxRequestedBytes(ColumnVector cells) {
    return plainBytes(cells) + 256;
  }

  private static long plainBytes(ColumnVector cells) {
    return (long) cells.dataBytes() + cells.varlenBytes();
  }

  private static boolean tryEncode(
      PageEncoding encoding, ColumnVector cells, PageBuilder out, long maxBytes) {
    int start = out.bytes();
    if (encoding.encode(cells, out, maxBytes)) {
      return true;
    }
    out.truncate(start);
    return false;
  }

  private PageEncoding encodeText(ColumnVector cells, PageBuilder out) {
    long plain = plainBytes(cells);
    if (tryDictionary(cells, out, plain * 6 / 10)) {
      return PageEncodings.DICTIONARY;
    }
    int start = out.bytes();
    long max = plain * 3 / 4;
    boolean prefix = tryEncode(PageEncodings.PREFIX, cells, out, max);
    int prefixEnd = out.bytes();
    if (symbolTables.encode(cells, out, prefix ? (prefixEnd - start) * 3L / 4 : max)) {
      out.remove(start, prefixEnd - start);
      return PageEncodings.SYMBOL_TABLE;
    }
    out.truncate(prefixEnd);
    return prefix ? PageEncodings.PREFIX : plain(cells, out);
  }

  /**
   * Run length is chosen if runs have 16 or more rows on average: it decodes fastest and is usually
   * smallest. Otherwise delta or dictionary is chosen if it takes at most half the bytes of frame
   * of reference and of plain. Otherwise frame of reference is chosen if it takes at most three
   * quarters of the bytes of plain.
   */
  private PageEncoding encodeIntegers(ColumnVector cells, PageBuilder out) {
    int rows = cells.rowCount();
    long plain = plainBytes(cells);
    IntegerProfile profile = new IntegerProfile(type, cells.dataAddress(), rows);
    long runLength = RunLengthEncoding.encodedBytes(profile.runs(), type.width());
    if (profile.runs() > 1 && profile.runs() <= rows / 16 && runLength <= plain / 2) {
      PageEncodings.RUN_LENGTH.encode(cells, out, plain);
      return PageEncodings.RUN_LENGTH;
    }
    long packed = FrameOfReferenceEncoding.encodedBytes(rows, profile.range());
    long best = Math.min(packed, plain);
    if (DeltaEncoding.encodedBytes(profile, rows) <= best / 2
        && tryEncode(PageEncodings.DELTA, cells, out, best)) {
      return PageEncodings.DELTA;
    }
    if (PageEncodings.DICTIONARY.fits(type) && tryDictionary(cells, out, best / 2)) {
      return PageEncodings.DICTIONARY;
    }
    return packed <= plain * 3 / 4
            && tryEncode(PageEncodings.FRAME_OF_REFERENCE, cells, out, plain * 3 / 4)
        ? PageEncodings.FRAME_OF_REFERENCE
        : plain(cells, out);
  }

  /**
   * Scaled decimals are chosen if they take at most three quarters of the bytes of plain, else
   * plain. A dictionary is chosen instead of either if it takes at most half the bytes of that
   * encoding.
   */
  private PageEncoding encodeFixed(ColumnVector cells, PageBuilder out) {
    long plain = plainBytes(cells);
    int start = out.bytes();
    boolean scaled =
        PageEncodings.SCALED_DECIMAL.fits(type)
            && tryEncode(PageEncodings.SCALED_DECIMAL, cells, out, plain * 3 / 4);
    int scaledEnd = out.bytes();
    if (tryDictionary(cells, out, (scaled ? scaledEnd - start : plain) / 2)) {
      out.remove(start, scaledEnd - start);
      return PageEncodings.DICTIONARY;
    }
    return scaled ? PageEncodings.SCALED_DECIMAL : plain(cells, out);
  }

  private boolean tryDictionary(ColumnVector cells, PageBuilder out, long maxBytes) {
    if (pagesWithoutDictionary > 0) {
      pagesWithoutDictionary--;
      return false;
    }
    if (tryEncode(PageEncodings.DICTIONARY, cells, out, maxBytes)) {
      return true;
    }
    pagesWithoutDictionary = BACKOFF_PAGES;
    return false;
  }

  private static PageEncoding plain(ColumnVector cells, PageBuilder out) {
    PageEncodings.PLAIN.encode(cells, out, Long.MAX_VALUE);
    return PageEncodings.PLAIN;
  }

  /** The codec to try; null for no compression. */
  @Nullable Codec codec() {
    return switch (column.compression()) {
      case NONE -> null;
      case DEFAULT, LZ4 -> Codecs.LZ4;
      case SNAPPY -> Codecs.SNAPPY;
      case ZLIB -> Codecs.ZLIB;
      case ZSTD -> Codecs.ZSTD;
      case BZIP2 -> Codecs.BZIP2;
    };
  }

  /**
   * The saving in percent that justifies compression. Unless the user requested compression, the
   * saving must pay for decompression. Pages in encodings other than PLAIN are fast to read and
   * must save more.
   */
  int minSavingPercent(PageEncoding used) {
    if (column.compression() != Compression.DEFAULT || used == PageEncodings.BIT_SHUFFLE) {
      return 1;
    }
    return used == PageEncodings.PLAIN ? 15 : 30;
  }
}

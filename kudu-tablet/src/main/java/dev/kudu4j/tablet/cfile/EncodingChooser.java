package dev.kudu4j.tablet.cfile;

import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.Compression;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.codec.Codec;
import dev.kudu4j.tablet.codec.Codecs;

/**
 * Chooses how a page is written: what the user asked for where it fits the data, and otherwise what
 * decodes fast and is clearly smaller than what decodes faster. One per column being written;
 * remembers where a dictionary did not pay, and the symbols of the pages before.
 */
final class EncodingChooser {
  /** Pages for which no dictionary is tried after one was too large. */
  private static final int PATIENCE_PAGES = 7;

  private final ColumnSchema column;
  private final DataType type;
  private final SymbolTables symbolTables = new SymbolTables();
  private int pagesWithoutDictionary;

  EncodingChooser(ColumnSchema column) {
    this.column = column;
    this.type = column.type();
  }

  /** Appends the encoded cells; returns the encoding used. */
  PageEncoding encode(ColumnVector cells, PageBuilder out) {
    PageEncoding wanted =
        switch (column.encoding()) {
          case PLAIN -> PageEncodings.PLAIN;
          case PREFIX -> PageEncodings.PREFIX;
          case RLE -> PageEncodings.RUN_LENGTH;
          case DICTIONARY -> PageEncodings.DICTIONARY;
          case BIT_SHUFFLE -> PageEncodings.BIT_SHUFFLE;
          case AUTO -> null;
        };
    if (wanted != null && wanted.fits(type) && tryEncode(wanted, cells, out, mostForAsked(cells))) {
      return wanted;
    }
    if (type.isVariableLength()) {
      return encodeText(cells, out);
    }
    return Cells.areIntegers(type) ? encodeIntegers(cells, out) : encodeFixed(cells, out);
  }

  /** Asked for, an encoding may be a little larger than plain, but not much. */
  private static long mostForAsked(ColumnVector cells) {
    return plainBytes(cells) + 256;
  }

  private static long plainBytes(ColumnVector cells) {
    return (long) cells.dataBytes() + cells.varlenBytes();
  }

  private static boolean tryEncode(
      PageEncoding encoding, ColumnVector cells, PageBuilder out, long mostBytes) {
    int start = out.bytes();
    if (encoding.encode(cells, out, mostBytes)) {
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
    long most = plain * 3 / 4;
    boolean prefix = tryEncode(PageEncodings.PREFIX, cells, out, most);
    int prefixEnd = out.bytes();
    if (symbolTables.encode(cells, out, prefix ? (prefixEnd - start) * 3L / 4 : most)) {
      out.remove(start, prefixEnd - start);
      return PageEncodings.SYMBOL_TABLE;
    }
    out.truncate(prefixEnd);
    return prefix ? PageEncodings.PREFIX : plain(cells, out);
  }

  /**
   * Runs of 16 and more decode faster than anything else and are mostly smaller, too. Numbers in
   * place of cells come next; steps between them, and a dictionary, have to be half as large.
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

  /** Decimals as integers, where cells are such; a dictionary has to be half as large. */
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

  private boolean tryDictionary(ColumnVector cells, PageBuilder out, long mostBytes) {
    if (pagesWithoutDictionary > 0) {
      pagesWithoutDictionary--;
      return false;
    }
    if (tryEncode(PageEncodings.DICTIONARY, cells, out, mostBytes)) {
      return true;
    }
    pagesWithoutDictionary = PATIENCE_PAGES;
    return false;
  }

  private static PageEncoding plain(ColumnVector cells, PageBuilder out) {
    PageEncodings.PLAIN.encode(cells, out, Long.MAX_VALUE);
    return PageEncodings.PLAIN;
  }

  /** The codec that is tried; null for none. */
  Codec codec() {
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
   * What compression must save. Unless asked for it has to pay for its decoding; what is encoded
   * already has to gain more, since it is fast to read.
   */
  int leastSavingPercent(PageEncoding used) {
    if (column.compression() != Compression.DEFAULT || used == PageEncodings.BIT_SHUFFLE) {
      return 1;
    }
    return used == PageEncodings.PLAIN ? 15 : 30;
  }
}

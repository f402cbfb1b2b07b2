package dev.kudu4j.tablet.cfile;

import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.Compression;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.codec.Codec;
import dev.kudu4j.tablet.codec.Codecs;

/**
 * Chooses how a page is written: what the user asked for where it fits the data, and otherwise what
 * decodes fast and is clearly smaller than plain. One per column being written; remembers where a
 * dictionary did not pay.
 */
final class EncodingChoice {
  /** Pages for which no dictionary is tried after one was too large. */
  private static final int PATIENCE_PAGES = 7;

  private final ColumnSchema column;
  private final DataType type;
  private int pagesWithoutDictionary;

  EncodingChoice(ColumnSchema column) {
    this.column = column;
    this.type = column.type();
  }

  /** Appends the encoded cells; returns the encoding used. */
  PageEncoding encode(ColumnVector cells, PageOutput out) {
    PageEncoding wanted =
        switch (column.encoding()) {
          case PLAIN -> PageEncodings.PLAIN;
          case RLE -> PageEncodings.RUN_LENGTH;
          case DICTIONARY -> PageEncodings.DICTIONARY;
          case BIT_SHUFFLE -> PageEncodings.BIT_SHUFFLE;
          case AUTO, PREFIX -> null;
        };
    if (wanted != null && wanted.fits(type) && tryEncode(wanted, cells, out, mostForAsked(cells))) {
      return wanted;
    }
    return type.isVariableLength() ? encodeText(cells, out) : encodeFixed(cells, out);
  }

  /** Asked for, an encoding may be a little larger than plain, but not much. */
  private static long mostForAsked(ColumnVector cells) {
    return plainBytes(cells) + 256;
  }

  private static long plainBytes(ColumnVector cells) {
    return (long) cells.dataBytes() + cells.varlenBytes();
  }

  private static boolean tryEncode(
      PageEncoding encoding, ColumnVector cells, PageOutput out, long mostBytes) {
    int start = out.bytes();
    if (encoding.encode(cells, out, mostBytes)) {
      return true;
    }
    out.truncate(start);
    return false;
  }

  private PageEncoding encodeText(ColumnVector cells, PageOutput out) {
    return tryDictionary(cells, out, plainBytes(cells) * 6 / 10)
        ? PageEncodings.DICTIONARY
        : plain(cells, out);
  }

  private PageEncoding encodeFixed(ColumnVector cells, PageOutput out) {
    long plain = plainBytes(cells);
    boolean integers = Cells.areIntegers(type);
    if (integers && tryRuns(cells, out, plain)) {
      return PageEncodings.RUN_LENGTH;
    }
    if (integers && tryEncode(PageEncodings.FRAME_OF_REFERENCE, cells, out, plain * 3 / 4)) {
      return PageEncodings.FRAME_OF_REFERENCE;
    }
    if (PageEncodings.DICTIONARY.fits(type) && tryDictionary(cells, out, plain / 2)) {
      return PageEncodings.DICTIONARY;
    }
    return plain(cells, out);
  }

  /** Runs of 16 and more decode faster than anything else and are mostly smaller, too. */
  private boolean tryRuns(ColumnVector cells, PageOutput out, long plain) {
    int runs = RunLengthEncoding.runs(cells.dataAddress(), type.width(), cells.rowCount());
    return runs > 1
        && runs <= cells.rowCount() / 16
        && tryEncode(PageEncodings.RUN_LENGTH, cells, out, plain / 2);
  }

  private boolean tryDictionary(ColumnVector cells, PageOutput out, long mostBytes) {
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

  private static PageEncoding plain(ColumnVector cells, PageOutput out) {
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

package dev.kudu4j.tablet.cfile;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** All encodings, by number. */
final class PageEncodings {
  static final PageEncoding PLAIN = new PlainEncoding();
  static final PageEncoding RUN_LENGTH = new RunLengthEncoding();
  static final PageEncoding DICTIONARY = new DictionaryEncoding();
  static final PageEncoding FRAME_OF_REFERENCE = new FrameOfReferenceEncoding();
  static final PageEncoding BIT_SHUFFLE = new BitShuffleEncoding();

  static final PageEncoding PREFIX = new PrefixEncoding();
  static final PageEncoding DELTA = new DeltaEncoding();
  static final SymbolTableEncoding SYMBOL_TABLE = new SymbolTableEncoding();
  static final PageEncoding SCALED_DECIMAL = new ScaledDecimalEncoding();

  /** Encoding n is at index n - 1. */
  static final List<PageEncoding> ALL =
      List.of(
          PLAIN,
          RUN_LENGTH,
          DICTIONARY,
          FRAME_OF_REFERENCE,
          BIT_SHUFFLE,
          PREFIX,
          DELTA,
          SYMBOL_TABLE,
          SCALED_DECIMAL);

  private PageEncodings() {}

  /** The encoding with the number, or null. */
  static @Nullable PageEncoding of(int number) {
    return number >= 1 && number <= ALL.size() ? ALL.get(number - 1) : null;
  }

  /** The name of the encoding with the number, for dumps. */
  static String nameOf(int number) {
    if (number == PageFormat.NO_ENCODING) {
      return "none";
    }
    PageEncoding encoding = of(number);
    return encoding == null ? "unknown (" + number + ")" : encoding.name();
  }
}

package dev.kudu4j.tools.phrase;

/**
 * A token of a phrase.
 *
 * @param text without quotes
 * @param position the position in the phrase, from 1
 */
record Word(Kind kind, String text, int position) {
  enum Kind {
    /** A name, a number, a date or a keyword: any token without quotes. */
    BARE,
    /** {@code 'in single quotes'}: a value. */
    TEXT,
    /** {@code "in double quotes"} or backquotes: a name. */
    NAME,
    /** A parenthesis, a comma or a comparison operator. */
    SYMBOL,
    END
  }

  boolean isSymbol(String symbol) {
    return kind == Kind.SYMBOL && text.equals(symbol);
  }

  boolean isKeyword(String keyword) {
    return kind == Kind.BARE && text.equalsIgnoreCase(keyword);
  }

  boolean isName() {
    return kind == Kind.BARE || kind == Kind.NAME;
  }

  boolean isValue() {
    return kind == Kind.BARE || kind == Kind.TEXT;
  }
}

package dev.kudu4j.tools.phrase;

import dev.kudu4j.common.status.KuduException;
import java.util.ArrayList;
import java.util.List;

/** The tokens of a phrase. */
final class Words {
  private final String phrase;
  private final String what;
  private final String symbols;
  private final List<Word> words = new ArrayList<>();
  private int next;

  /** Tokens of which parentheses, commas and comparison operators are symbols. */
  Words(String what, String phrase) {
    this(what, phrase, "(),=<>!");
  }

  /**
   * @param what source of the phrase, for messages: {@code --where}
   * @param symbols characters that end a bare word and are tokens themselves
   */
  Words(String what, String phrase, String symbols) {
    this.what = what;
    this.phrase = phrase;
    this.symbols = symbols;
    int at = 0;
    while (at < phrase.length()) {
      at = Character.isWhitespace(phrase.charAt(at)) ? at + 1 : cut(at);
    }
    words.add(new Word(Word.Kind.END, "", phrase.length() + 1));
  }

  private int cut(int start) {
    char first = phrase.charAt(start);
    if (first == '\'') {
      return cutQuoted(Word.Kind.TEXT, start);
    }
    if (first == '"' || first == '`') {
      return cutQuoted(Word.Kind.NAME, start);
    }
    int end = start + 1;
    if (symbols.indexOf(first) >= 0) {
      boolean pair =
          end < phrase.length()
              && List.of("<=", ">=", "==", "!=", "<>").contains(phrase.substring(start, end + 1));
      end += pair ? 1 : 0;
      words.add(new Word(Word.Kind.SYMBOL, phrase.substring(start, end), start + 1));
      return end;
    }
    while (end < phrase.length() && isBare(phrase.charAt(end))) {
      end++;
    }
    words.add(new Word(Word.Kind.BARE, phrase.substring(start, end), start + 1));
    return end;
  }

  private boolean isBare(char c) {
    return !Character.isWhitespace(c) && symbols.indexOf(c) < 0 && "'\"`".indexOf(c) < 0;
  }

  /** Cuts a token in quotes out of the phrase. A quote within the token is written twice. */
  private int cutQuoted(Word.Kind kind, int start) {
    char quote = phrase.charAt(start);
    StringBuilder text = new StringBuilder();
    int at = start + 1;
    while (at < phrase.length()) {
      if (phrase.charAt(at) != quote) {
        text.append(phrase.charAt(at++));
      } else if (at + 1 < phrase.length() && phrase.charAt(at + 1) == quote) {
        text.append(quote);
        at += 2;
      } else {
        words.add(new Word(kind, text.toString(), start + 1));
        return at + 1;
      }
    }
    throw KuduException.invalidArgument(
        "%s: the quote at character %d is not closed: %s", what, start + 1, phrase);
  }

  Word peek() {
    return words.get(next);
  }

  Word take() {
    Word word = words.get(next);
    next += word.kind() == Word.Kind.END ? 0 : 1;
    return word;
  }

  boolean takeKeyword(String keyword) {
    boolean there = peek().isKeyword(keyword);
    next += there ? 1 : 0;
    return there;
  }

  boolean takeSymbol(String symbol) {
    boolean there = peek().isSymbol(symbol);
    next += there ? 1 : 0;
    return there;
  }

  void expectSymbol(String symbol) {
    if (!takeSymbol(symbol)) {
      throw unexpected("'" + symbol + "'");
    }
  }

  void expectKeyword(String keyword) {
    if (!takeKeyword(keyword)) {
      throw unexpected(keyword);
    }
  }

  boolean atEnd() {
    return peek().kind() == Word.Kind.END;
  }

  /** Reports that the next word is invalid. */
  KuduException unexpected(String wanted) {
    return unexpected(peek(), wanted);
  }

  KuduException unexpected(Word word, String wanted) {
    String found = word.kind() == Word.Kind.END ? "the text ends" : "'" + word.text() + "'";
    return KuduException.invalidArgument(
        "%s: %s at character %d, expected %s: %s", what, found, word.position(), wanted, phrase);
  }
}

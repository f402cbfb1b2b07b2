package dev.kudu4j.server.web.html;

import static j2html.TagCreator.span;

import j2html.tags.DomContent;
import java.util.Locale;

/**
 * A state in one word, with a colour by severity. The word is also understandable without the
 * colour.
 */
public final class Badges {
  private Badges() {}

  /** A normal state. */
  public static DomContent good(String word) {
    return badge(word, "good");
  }

  /** A temporary state. */
  public static DomContent passing(String word) {
    return badge(word, "passing");
  }

  /** A state that needs attention. */
  public static DomContent bad(String word) {
    return badge(word, "bad");
  }

  /** A neutral state. */
  public static DomContent plain(String word) {
    return badge(word, "plain");
  }

  private static DomContent badge(String word, String style) {
    return span(word.toLowerCase(Locale.ROOT).replace('_', ' ')).withClasses("badge", style);
  }
}

package dev.kudu4j.server.web.html;

import static j2html.TagCreator.span;

import j2html.tags.DomContent;
import java.util.Locale;

/** A state in one word, coloured by how good it is. The word alone says it too. */
public final class Badges {
  private Badges() {}

  /** All is well. */
  public static DomContent good(String word) {
    return badge(word, "good");
  }

  /** Soon it will be well, or will not. */
  public static DomContent passing(String word) {
    return badge(word, "passing");
  }

  /** Somebody should look. */
  public static DomContent bad(String word) {
    return badge(word, "bad");
  }

  /** Neither good nor bad. */
  public static DomContent plain(String word) {
    return badge(word, "plain");
  }

  private static DomContent badge(String word, String style) {
    return span(word.toLowerCase(Locale.ROOT).replace('_', ' ')).withClasses("badge", style);
  }
}

package dev.kudu4j.server.web;

import static j2html.TagCreator.each;

/** The part of a view that a browser would get, without the frame. */
public final class Rendered {
  private Rendered() {}

  public static String html(View view) {
    return each(view.body().stream()).render();
  }
}

package dev.kudu4j.server.web.html;

import static j2html.TagCreator.dd;
import static j2html.TagCreator.div;
import static j2html.TagCreator.dl;
import static j2html.TagCreator.dt;
import static j2html.TagCreator.each;
import static j2html.TagCreator.text;

import j2html.tags.DomContent;
import java.util.ArrayList;
import java.util.List;

/** A list of names with values that describe one thing. */
public final class Facts {
  private final List<DomContent> entries = new ArrayList<>();

  /** Adds a string; does nothing if it is empty. */
  public Facts add(String name, String value) {
    return value.isEmpty() ? this : add(name, text(value));
  }

  /** Adds HTML content. */
  public Facts add(String name, DomContent value) {
    entries.add(div(dt(name), dd(value)));
    return this;
  }

  /** Adds an identifier. */
  public Facts addId(String name, String value) {
    entries.add(div(dt(name), dd(value).withClass("id")));
    return this;
  }

  /** The whole list. */
  public DomContent list() {
    return dl(each(entries.stream())).withClass("facts");
  }
}

package dev.kudu4j.server.web.html;

import static j2html.TagCreator.a;
import static j2html.TagCreator.div;
import static j2html.TagCreator.each;
import static j2html.TagCreator.li;
import static j2html.TagCreator.span;
import static j2html.TagCreator.ul;

import j2html.tags.DomContent;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Large key figures, each a link to the page with the details. */
public final class Tiles {
  private final List<DomContent> tiles = new ArrayList<>();

  /**
   * @param name the counted things
   * @param value a figure
   * @param address the page with the details
   */
  public Tiles add(String name, DomContent value, String address) {
    return add(name, value, null, address);
  }

  /**
   * @param below shown below the name: a bar or a further word
   */
  public Tiles add(String name, DomContent value, @Nullable DomContent below, String address) {
    tiles.add(
        li(
            a(span(value).withClass("value"), span(name).withClass("name"), below)
                .withHref(address)
                .withClass("tile")));
    return this;
  }

  /** Adds a figure that has no page with details. */
  public Tiles add(String name, DomContent value, DomContent below) {
    tiles.add(
        li(
            div(span(value).withClass("value"), span(name).withClass("name"), below)
                .withClass("tile")));
    return this;
  }

  /** The list of all tiles. */
  public DomContent list() {
    return ul(each(tiles.stream())).withClass("tiles");
  }
}

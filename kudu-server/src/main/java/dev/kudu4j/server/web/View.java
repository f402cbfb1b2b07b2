package dev.kudu4j.server.web;

import j2html.tags.DomContent;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * The content of a page at one moment, without the frame.
 *
 * @param above the parent pages below the server's first page, such as the list that contains it
 * @param body the content below the title
 */
public record View(String title, List<Link> above, List<DomContent> body) {
  /** A page of the navigation; null elements are omitted. */
  public static View of(String title, DomContent... body) {
    return new View(title, List.of(), Arrays.stream(body).filter(Objects::nonNull).toList());
  }

  /** The same view below another page. */
  public View below(String parentTitle, String parentPath) {
    return new View(title, List.of(new Link(parentTitle, parentPath)), body);
  }
}

package dev.kudu4j.server.web;

import j2html.tags.DomContent;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * What a page shows at one moment, without the frame.
 *
 * @param above the way to it below the server's first page, such as the list that it is a part of
 * @param body what stands below the title
 */
public record View(String title, List<Link> above, List<DomContent> body) {
  /** A page that is an entry of the navigation itself; what is null is left out. */
  public static View of(String title, DomContent... body) {
    return new View(title, List.of(), Arrays.stream(body).filter(Objects::nonNull).toList());
  }

  /** The same below another page. */
  public View below(String parentTitle, String parentPath) {
    return new View(title, List.of(new Link(parentTitle, parentPath)), body);
  }
}

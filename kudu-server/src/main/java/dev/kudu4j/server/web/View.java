package dev.kudu4j.server.web;

import j2html.tags.DomContent;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The content of a page at one moment, without the frame.
 *
 * @param above links to the parent pages, without the server's home page; for example to the list
 *     that contains this page
 * @param body the content below the title
 */
public record View(String title, List<Link> above, List<DomContent> body) {
  /** The content of a page without parent pages. Null elements of {@code body} are omitted. */
  public static View of(String title, @Nullable DomContent... body) {
    List<DomContent> shown = new ArrayList<>();
    for (DomContent content : body) {
      if (content != null) {
        shown.add(content);
      }
    }
    return new View(title, List.of(), List.copyOf(shown));
  }

  /** The same content, as a child of the page with this title and path. */
  public View below(String parentTitle, String parentPath) {
    return new View(title, List.of(new Link(parentTitle, parentPath)), body);
  }
}

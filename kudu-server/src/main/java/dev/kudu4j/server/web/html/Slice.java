package dev.kudu4j.server.web.html;

import static j2html.TagCreator.a;
import static j2html.TagCreator.nav;
import static j2html.TagCreator.span;

import dev.kudu4j.server.web.Query;
import j2html.tags.DomContent;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a long list that one page shows, and links to the other pages of the list: {@code
 * ?page=2}.
 *
 * @param rows the rows of this page
 * @param page the number of the page, from 1
 * @param total the number of all rows
 */
public record Slice<T>(List<T> rows, int page, int total) {
  /**
   * The maximum number of rows of a page. A browser shows this number of rows without a noticeable
   * delay.
   */
  public static final int ROWS = 200;

  /**
   * The rows of the page that a query requests; the rows of the last page if the requested page
   * does not exist.
   */
  public static <T> Slice<T> of(List<T> all, Query query) {
    int page = Math.min(query.number("page", 1), pages(all.size()));
    int from = (page - 1) * ROWS;
    return new Slice<>(all.subList(from, Math.min(all.size(), from + ROWS)), page, all.size());
  }

  private static int pages(int total) {
    return Math.max(1, (total + ROWS - 1) / ROWS);
  }

  /**
   * The position in the list, and links to the adjacent pages; null if the page has all rows.
   *
   * @param address the address of the list with its other parameters: {@code /tablets?table=a&}, or
   *     {@code /tablets?}
   */
  public @Nullable DomContent pager(String address) {
    return pager(address, "← Earlier", "Later →");
  }

  /**
   * Like {@link #pager(String)}, with other link texts.
   *
   * @param back the text of the link to the previous part
   * @param forth the text of the link to the next part
   */
  public @Nullable DomContent pager(String address, String back, String forth) {
    if (total <= ROWS) {
      return null;
    }
    int first = (page - 1) * ROWS + 1;
    String where =
        Figures.countText(first)
            + " to "
            + Figures.countText(first + rows.size() - 1L)
            + " of "
            + Figures.countText(total);
    return nav(
            page > 1 ? a(back).withHref(address + "page=" + (page - 1)) : null,
            span(where),
            page < pages(total) ? a(forth).withHref(address + "page=" + (page + 1)) : null)
        .withClass("pager")
        .attr("aria-label", "Parts of the list");
  }

  /** Encodes a text for use in an address. */
  public static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}

package dev.kudu4j.server.web.html;

import static j2html.TagCreator.a;
import static j2html.TagCreator.nav;
import static j2html.TagCreator.span;

import dev.kudu4j.server.web.Query;
import j2html.tags.DomContent;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * As many rows of a long list as a page shows at a time, and the way to the others: {@code
 * ?page=2}.
 *
 * @param rows those of this page
 * @param page from 1
 * @param total rows in all
 */
public record Slice<T>(List<T> rows, int page, int total) {
  /** A browser shows so many rows at once without a pause. */
  public static final int ROWS = 200;

  /** The part of a list that a query asks for; the last one when it asks for more than there is. */
  public static <T> Slice<T> of(List<T> all, Query query) {
    int page = Math.min(query.number("page", 1), pages(all.size()));
    int from = (page - 1) * ROWS;
    return new Slice<>(all.subList(from, Math.min(all.size(), from + ROWS)), page, all.size());
  }

  private static int pages(int total) {
    return Math.max(1, (total + ROWS - 1) / ROWS);
  }

  /**
   * Where one is, and links to the pages beside; empty when all rows are here.
   *
   * @param address of the list, with what else was asked for: {@code /tablets?table=a&}, or {@code
   *     /tablets?}
   */
  public DomContent pager(String address) {
    return pager(address, "← Earlier", "Later →");
  }

  /**
   * The same in other words.
   *
   * @param back what leads to the part before
   * @param forth what leads to the part behind
   */
  public DomContent pager(String address, String back, String forth) {
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

  /** A text as a part of an address. */
  public static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}

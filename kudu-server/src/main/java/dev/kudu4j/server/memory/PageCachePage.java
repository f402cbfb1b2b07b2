package dev.kudu4j.server.memory;

import static j2html.TagCreator.p;

import dev.kudu4j.server.web.View;
import dev.kudu4j.server.web.WebPage;
import dev.kudu4j.server.web.html.Bars;
import dev.kudu4j.server.web.html.Facts;
import dev.kudu4j.server.web.html.Figures;
import dev.kudu4j.tablet.cache.PageCache;

/** What the page cache holds and how well it serves. */
public final class PageCachePage {
  private static final String LEAD =
      "Pages of data files that were read and may be read again, for all tablets. The cache has"
          + " what nobody else needs: its room shrinks while rows in memory grow.";

  private PageCachePage() {}

  public static WebPage of(PageCache cache) {
    return WebPage.of("/page-cache", "Page cache", query -> view(cache.statistics()));
  }

  static View view(PageCache.Statistics cache) {
    long lookups = cache.hits() + cache.misses();
    return View.of(
        "Page cache",
        p(LEAD),
        new Facts()
            .add("Used", Figures.bytes(cache.bytes()))
            .add("Room now", Figures.bytes(cache.capacityBytes()))
            .add("Filled", Bars.ofWhole(cache.bytes(), cache.capacityBytes()))
            .add("Pages", Figures.count(cache.pages()))
            .add("Look-ups", Figures.count(lookups))
            .add("Hits", Figures.count(cache.hits()))
            .add("Misses", Figures.count(cache.misses()))
            .add("Hit rate", Figures.percent(cache.hits(), lookups))
            .add("Evictions", Figures.count(cache.evictions()))
            .list());
  }
}

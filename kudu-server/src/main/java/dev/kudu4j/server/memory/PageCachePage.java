package dev.kudu4j.server.memory;

import static j2html.TagCreator.h2;
import static j2html.TagCreator.p;
import static j2html.TagCreator.text;

import dev.kudu4j.server.web.View;
import dev.kudu4j.server.web.WebPage;
import dev.kudu4j.server.web.html.Bars;
import dev.kudu4j.server.web.html.Facts;
import dev.kudu4j.server.web.html.Figures;
import dev.kudu4j.server.web.html.Tiles;
import dev.kudu4j.tablet.cache.PageCache;

/** The web page about the page cache: the content and the hit rate of the cache. */
public final class PageCachePage {
  private static final String LEAD =
      "Pages of data files that were read and may be read again, for all tablets. The cache uses"
          + " memory that is not needed otherwise: it shrinks while rows in memory grow.";

  private PageCachePage() {}

  public static WebPage of(PageCache cache) {
    return WebPage.of("/page-cache", "Page cache", query -> view(cache.statistics()));
  }

  static View view(PageCache.Statistics cache) {
    long lookups = cache.hits() + cache.misses();
    return View.of(
        "Page cache",
        p(LEAD),
        new Tiles()
            .add(
                "of " + Figures.bytesText(cache.capacityBytes()) + " that it may have now",
                Figures.bytes(cache.bytes()),
                Bars.ofWhole(cache.bytes(), cache.capacityBytes()))
            .add(
                "of look-ups found their page",
                Figures.percent(cache.hits(), lookups),
                Bars.ofWhole(cache.hits(), lookups))
            .add("pages", Figures.count(cache.pages()), text(""))
            .list(),
        h2("Since the start"),
        new Facts()
            .add("Look-ups", Figures.count(lookups))
            .add("Hits", Figures.count(cache.hits()))
            .add("Misses", Figures.count(cache.misses()))
            .add("Evictions", Figures.count(cache.evictions()))
            .list());
  }
}

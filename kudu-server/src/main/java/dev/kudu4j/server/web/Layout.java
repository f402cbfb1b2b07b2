package dev.kudu4j.server.web;

import static j2html.TagCreator.a;
import static j2html.TagCreator.body;
import static j2html.TagCreator.document;
import static j2html.TagCreator.each;
import static j2html.TagCreator.footer;
import static j2html.TagCreator.h1;
import static j2html.TagCreator.head;
import static j2html.TagCreator.header;
import static j2html.TagCreator.html;
import static j2html.TagCreator.li;
import static j2html.TagCreator.link;
import static j2html.TagCreator.main;
import static j2html.TagCreator.meta;
import static j2html.TagCreator.nav;
import static j2html.TagCreator.ol;
import static j2html.TagCreator.p;
import static j2html.TagCreator.span;
import static j2html.TagCreator.title;
import static j2html.TagCreator.ul;

import j2html.tags.DomContent;
import j2html.tags.specialized.ATag;
import java.util.ArrayList;
import java.util.List;

/** The frame of all pages of a server: identity, navigation and breadcrumbs. */
final class Layout {
  static final String STYLE_PATH = "/static/kudu4j.css";
  static final String HOME = "/";

  private final Site site;
  private final List<Link> navigation;

  /**
   * @param navigation links to the pages of the navigation, in order
   */
  Layout(Site site, List<Link> navigation) {
    this.site = site;
    this.navigation = List.copyOf(navigation);
  }

  /**
   * Renders the whole document.
   *
   * @param path the path of the page
   */
  String render(String path, View view) {
    boolean home = path.equals(HOME);
    return document(
        html(
                head(
                    meta().withCharset("utf-8"),
                    meta().withName("viewport").withContent("width=device-width, initial-scale=1"),
                    meta().withName("color-scheme").withContent("light dark"),
                    title(view.title() + " · " + site.kind() + " " + site.name()),
                    link().withRel("icon").withHref("data:,"),
                    link().withRel("stylesheet").withHref(STYLE_PATH)),
                body(
                    header(brand(), navigation(path, view)),
                    main(home ? null : crumbs(view), h1(view.title()), each(view.body().stream())),
                    footer(p(site.footnote()))))
            .withLang("en"));
  }

  private DomContent brand() {
    List<DomContent> others = new ArrayList<>();
    for (Link other : site.elsewhere().get()) {
      others.add(a(other.text()).withHref(other.address()));
    }
    return p(
            a("Kudu4j").withHref(HOME).withClass("brand"),
            span(site.kind() + " "),
            span(site.name()).withClass("id"),
            others.isEmpty() ? null : span(each(others.stream())).withClass("elsewhere"))
        .withClass("who");
  }

  private DomContent navigation(String path, View view) {
    String above = view.above().isEmpty() ? path : view.above().get(0).address();
    return nav(ul(each(navigation, entry -> li(entry(entry, path, above)))))
        .attr("aria-label", "Pages");
  }

  private static ATag entry(Link entry, String path, String above) {
    ATag link = a(entry.text()).withHref(entry.address());
    if (entry.address().equals(path)) {
      return link.attr("aria-current", "page");
    }
    return entry.address().equals(above) ? link.attr("aria-current", "true") : link;
  }

  private static DomContent crumbs(View view) {
    List<DomContent> steps = new ArrayList<>();
    steps.add(li(a("Overview").withHref(HOME)));
    for (Link step : view.above()) {
      steps.add(li(a(step.text()).withHref(step.address())));
    }
    steps.add(li(view.title()).attr("aria-current", "page"));
    return nav(ol(each(steps.stream()))).withClass("crumbs").attr("aria-label", "Where this is");
  }
}

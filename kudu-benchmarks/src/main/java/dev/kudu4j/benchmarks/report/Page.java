package dev.kudu4j.benchmarks.report;

import static j2html.TagCreator.body;
import static j2html.TagCreator.canvas;
import static j2html.TagCreator.div;
import static j2html.TagCreator.each;
import static j2html.TagCreator.h1;
import static j2html.TagCreator.h2;
import static j2html.TagCreator.head;
import static j2html.TagCreator.html;
import static j2html.TagCreator.iffElse;
import static j2html.TagCreator.meta;
import static j2html.TagCreator.p;
import static j2html.TagCreator.rawHtml;
import static j2html.TagCreator.script;
import static j2html.TagCreator.style;
import static j2html.TagCreator.table;
import static j2html.TagCreator.tbody;
import static j2html.TagCreator.td;
import static j2html.TagCreator.th;
import static j2html.TagCreator.thead;
import static j2html.TagCreator.title;
import static j2html.TagCreator.tr;

import j2html.tags.DomContent;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A report as one HTML file, which contains the library that draws the charts. */
final class Page {
  private static final String CHART_JS =
      "/META-INF/resources/webjars/chart.js/4.5.1/dist/chart.umd.js";
  private static final String CSS =
      """
      body{font-family:sans-serif;margin:2em;max-width:1100px}
      td,th{padding:2px 12px 2px 0;text-align:left}
      .number{text-align:right}
      .chart{height:280px;margin:1em 0}
      """;

  private final String title;
  private final String machine;
  private final Map<String, Object> settings;
  private final List<Object> sections;
  private final List<Chart> charts;

  Page(
      String title,
      String machine,
      Map<String, Object> settings,
      List<Object> sections,
      List<Chart> charts) {
    this.title = title;
    this.machine = machine;
    this.settings = settings;
    this.sections = sections;
    this.charts = charts;
  }

  String render() throws IOException {
    return "<!DOCTYPE html>\n"
        + html(
                head(meta().withCharset("utf-8"), title(title), style(rawHtml(CSS))),
                body(
                    h1(title),
                    p(machine),
                    p(settings.toString()),
                    each(sections, Page::section),
                    each(IntStream.range(0, charts.size()).boxed().toList(), Page::place),
                    scripts()))
            .withLang("en")
            .render()
        + "\n";
  }

  private static DomContent section(Object section) {
    return section instanceof Table table ? toHtml(table) : p(section.toString());
  }

  private static DomContent toHtml(Table table) {
    return div(
        iffElse(table.heading().isEmpty(), rawHtml(""), h2(table.heading())),
        table(
            thead(tr(each(cells(table, table.columns(), true)))),
            tbody(each(table.rows(), row -> tr(each(cells(table, row, false)))))));
  }

  private static Stream<DomContent> cells(Table table, List<String> texts, boolean header) {
    return IntStream.range(0, texts.size())
        .<DomContent>mapToObj(
            column -> {
              String css = table.isNumber(column) ? "number" : "text";
              String text = texts.get(column);
              return header ? th(text).withClass(css) : td(text).withClass(css);
            });
  }

  private static DomContent place(int chart) {
    return div(canvas().withId("chart" + chart)).withClass("chart");
  }

  private DomContent scripts() throws IOException {
    if (charts.isEmpty()) {
      return rawHtml("");
    }
    StringBuilder calls = new StringBuilder();
    for (int i = 0; i < charts.size(); i++) {
      String json = charts.get(i).toJson().toString().replace("<", "\\u003c");
      calls.append("new Chart('chart%d', %s);\n".formatted(i, json));
    }
    return each(script(rawHtml(library())), script(rawHtml(calls.toString())));
  }

  private static String library() throws IOException {
    try (InputStream in = Page.class.getResourceAsStream(CHART_JS)) {
      if (in == null) {
        throw new IOException("Chart.js is not on the class path: " + CHART_JS);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .replace("</script", "<\\/script");
    }
  }
}

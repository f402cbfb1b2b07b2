package dev.kudu4j.server.web;

/** The frame that all pages have: title, style, the way back to the index. */
public final class HtmlPage {
  private static final String STYLE =
      """
      body { font: 14px/1.4 system-ui, sans-serif; margin: 1.5em; color: #222; }
      table { border-collapse: collapse; margin: .5em 0 1.5em; }
      th, td { padding: .25em .7em; border-bottom: 1px solid #ddd; text-align: left; vertical-align: top; }
      th { background: #f4f4f4; position: sticky; top: 0; }
      .number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
      .id { font-family: ui-monospace, monospace; font-size: 12px; }
      .quiet { color: #888; }
      .failed { color: #b00020; }
      p, dl { max-width: 60em; }
      dt { font-weight: 600; float: left; clear: left; width: 9em; }
      dd { margin-left: 9.5em; }
      """;

  private HtmlPage() {}

  /**
   * A whole page.
   *
   * @param body HTML
   */
  public static String of(String title, String body) {
    String escaped = WebServer.escape(title);
    return "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>"
        + escaped
        + "</title><style>\n"
        + STYLE
        + "</style></head><body><a href=\"/\">index</a><h1>"
        + escaped
        + "</h1>\n"
        + body
        + "</body></html>\n";
  }
}

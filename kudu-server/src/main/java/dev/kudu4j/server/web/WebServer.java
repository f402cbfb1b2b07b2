package dev.kudu4j.server.web;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import io.javalin.Javalin;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Serves pages over HTTP. A page is a path, a content type and a text made when it is asked for.
 */
public final class WebServer implements AutoCloseable {
  /** A page; the text is made on a thread of the web server. */
  public record Page(String path, String title, String contentType, Supplier<String> text) {
    public static Page plain(String path, String title, Supplier<String> text) {
      return new Page(path, title, "text/plain; charset=utf-8", text);
    }

    public static Page html(String path, String title, Supplier<String> text) {
      return new Page(path, title, "text/html; charset=utf-8", text);
    }
  }

  private final Javalin app;

  private WebServer(Javalin app) {
    this.app = app;
  }

  /**
   * @param title of the index page
   * @param facts shown on the index page
   * @param host interface; empty for all
   * @param port 0 for a free one
   */
  public static WebServer start(
      String title, Supplier<Map<String, String>> facts, String host, int port, Page... pages) {
    Javalin app =
        Javalin.create(
            config -> {
              config.showJavalinBanner = false;
              config.startupWatcherEnabled = false;
              config.useVirtualThreads = false;
            });
    Map<String, String> links = new TreeMap<>();
    for (Page page : pages) {
      links.put(page.path, page.title);
      app.get(page.path, context -> context.contentType(page.contentType).result(page.text.get()));
    }
    app.get("/", context -> context.html(index(title, facts.get(), links)));
    try {
      app.start(host.isEmpty() ? "0.0.0.0" : host, port);
    } catch (RuntimeException e) {
      app.stop();
      throw new KuduException(
          StatusCode.NETWORK_ERROR,
          "Cannot serve the web pages on "
              + (host.isEmpty() ? "port " : host + ":")
              + port
              + "; choose another --webserver_port or switch them off with --webserver_enabled=false",
          e);
    }
    return new WebServer(app);
  }

  private static String index(String title, Map<String, String> facts, Map<String, String> links) {
    StringBuilder html = new StringBuilder("<table>");
    facts.forEach(
        (name, value) ->
            html.append("<tr><th>")
                .append(escape(name))
                .append("</th><td>")
                .append(escape(value))
                .append("</td></tr>"));
    html.append("</table><ul>");
    links.forEach(
        (path, name) ->
            html.append("<li><a href=\"")
                .append(escape(path))
                .append("\">")
                .append(escape(name))
                .append("</a></li>"));
    return HtmlPage.of(title, html.append("</ul>").toString());
  }

  /** Makes a text safe to stand in HTML. */
  public static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  public int port() {
    return app.port();
  }

  @Override
  public void close() {
    app.stop();
  }
}

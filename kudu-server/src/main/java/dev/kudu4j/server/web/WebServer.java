package dev.kudu4j.server.web;

import static j2html.TagCreator.p;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import io.javalin.Javalin;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.eclipse.jetty.server.ConnectionLimit;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves pages over HTTP. Pages are read-only and run no scripts; they load nothing from other
 * sites, and no site may frame them. The headers of each response enforce this, so markup injected
 * through a table's name has no effect.
 */
public final class WebServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WebServer.class);
  private static final String HTML = "text/html; charset=utf-8";
  private static final String TEXT = "text/plain; charset=utf-8";
  private static final String POLICY =
      "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self';"
          + " base-uri 'none'; frame-ancestors 'none'";

  private static final int MIN_THREADS = 4;
  private static final int IDLE_THREAD_MILLIS = 5_000;
  private static final long IDLE_MILLIS_AT_LIMIT = 1_000;

  private final Javalin app;

  private WebServer(Javalin app) {
    this.app = app;
  }

  /**
   * @param host the interface; empty for all interfaces
   * @param port the port; 0 for any free port
   * @param limits the limits of the server's resources
   * @param pages the pages in the order of the navigation; one of them has the path {@code /}
   */
  public static WebServer start(
      Site site, String host, int port, WebLimits limits, List<WebPage> pages) {
    Layout layout = new Layout(site, navigation(pages));
    Javalin app =
        Javalin.create(
            config -> {
              config.showJavalinBanner = false;
              config.startupWatcherEnabled = false;
              config.useVirtualThreads = false;
              config.jetty.threadPool = workers(limits.threads());
              config.jetty.modifyServer(server -> limit(server, limits.connections()));
            });
    app.before(WebServer::setHeaders);
    String style = style();
    app.get(
        Layout.STYLE_PATH,
        context ->
            context
                .contentType("text/css; charset=utf-8")
                .header("Cache-Control", "max-age=300")
                .result(style));
    for (WebPage page : pages) {
      app.get(page.path(), context -> answer(context, page, layout));
    }
    app.get("/*", context -> complain(context, layout, 404, "This page does not exist."));
    try {
      app.start(host.isEmpty() ? "0.0.0.0" : host, port);
    } catch (RuntimeException e) {
      app.stop();
      throw new KuduException(
          StatusCode.NETWORK_ERROR,
          "Cannot serve the web pages on "
              + (host.isEmpty() ? "port " : host + ":")
              + port
              + "; choose another --webserver_port or disable them with --webserver_enabled=false",
          e);
    }
    return new WebServer(app);
  }

  /**
   * The pool of threads that serve requests. Idle threads end after 5 seconds; by default, Jetty
   * ends only one idle thread per minute.
   */
  private static QueuedThreadPool workers(int max) {
    QueuedThreadPool pool = new QueuedThreadPool(max, MIN_THREADS, IDLE_THREAD_MILLIS);
    pool.setMaxEvictCount(max);
    return pool;
  }

  /**
   * Limits the open connections. At the limit, no connection is accepted, and connections that are
   * idle for one second are closed.
   */
  private static void limit(Server server, int connections) {
    ConnectionLimit limit = new ConnectionLimit(connections, server);
    limit.setIdleTimeout(IDLE_MILLIS_AT_LIMIT);
    server.addBean(limit);
  }

  private static List<Link> navigation(List<WebPage> pages) {
    List<Link> links = new ArrayList<>();
    for (WebPage page : pages) {
      if (!page.title().isEmpty()) {
        links.add(new Link(page.title(), page.path()));
      }
    }
    return links;
  }

  private static void setHeaders(Context context) {
    context
        .header("Cache-Control", "no-store")
        .header("Content-Security-Policy", POLICY)
        .header("X-Content-Type-Options", "nosniff")
        .header("X-Frame-Options", "DENY")
        .header("Referrer-Policy", "no-referrer");
  }

  private static String style() {
    try (InputStream file = WebServer.class.getResourceAsStream("kudu4j.css")) {
      return new String(
          Objects.requireNonNull(file, "the style sheet is next to this class").readAllBytes(),
          StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void answer(Context context, WebPage page, Layout layout) {
    Query query = new Query(context.queryParamMap());
    try {
      if (page instanceof WebPage.Html html) {
        View view = html.answer().apply(query);
        context.contentType(HTML).result(layout.render(page.path(), view));
      } else if (page instanceof WebPage.Raw raw) {
        context.contentType(raw.contentType()).result(raw.answer().apply(query));
      }
    } catch (KuduException e) {
      int status = e.code() == StatusCode.NOT_FOUND ? 404 : httpStatus(e);
      if (page instanceof WebPage.Raw) {
        context.status(status).contentType(TEXT).result(e.getMessage() + "\n");
      } else {
        complain(context, layout, status, String.valueOf(e.getMessage()));
      }
    } catch (RuntimeException e) {
      LOG.error("The page {} failed", page.path(), e);
      complain(context, layout, 500, "The page failed; see the server's log.");
    }
  }

  private static int httpStatus(KuduException e) {
    return switch (e.code().category()) {
      case USER -> 400;
      case RESOURCES -> 503;
      case INTERNAL -> 500;
    };
  }

  private static void complain(Context context, Layout layout, int status, String message) {
    String title = status == 404 ? "Not found" : status == 503 ? "Not now" : "Cannot be shown";
    View view = View.of(title, p(message).withClass("lead"));
    context.status(status).contentType(HTML).result(layout.render(context.path(), view));
  }

  public int port() {
    return app.port();
  }

  @Override
  public void close() {
    app.stop();
  }
}

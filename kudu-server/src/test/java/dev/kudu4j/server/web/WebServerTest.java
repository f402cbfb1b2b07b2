package dev.kudu4j.server.web;

import static j2html.TagCreator.p;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.server.web.html.DataTable;
import dev.kudu4j.server.web.html.Slice;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WebServerTest {
  private static final String HOSTILE = "<script>alert(1)</script>";

  private final WebServer server =
      WebServer.start(
          new Site(
              "Tablet server", HOSTILE, "small & print", () -> List.of(new Link("Else", "/x"))),
          "127.0.0.1",
          0,
          WebLimits.SMALL,
          List.of(
              WebPage.of("/", "Overview", query -> View.of("Overview", p("all is well"))),
              WebPage.of("/list", "List", WebServerTest::list),
              WebPage.detail("/one", query -> View.of(query.required("id")).below("List", "/list")),
              WebPage.of("/gone", "Gone", query -> fail(KuduException.notFound("no %s", HOSTILE))),
              WebPage.of(
                  "/later", "Later", query -> fail(KuduException.serviceUnavailable("loading"))),
              WebPage.of("/broken", "Broken", query -> fail(new IllegalStateException("secret"))),
              WebPage.plain("/text", "", query -> "text")));

  private static View list(Query query) {
    List<Integer> all = IntStream.rangeClosed(1, 450).boxed().toList();
    Slice<Integer> shown = Slice.of(all, query);
    return View.of(
        "List",
        DataTable.<Integer>of("Numbers").text("Number", n -> "n" + n).rows(shown.rows()),
        shown.pager("/list?"));
  }

  private static View fail(RuntimeException failure) {
    throw failure;
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private HttpResponse<String> get(String path) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path)).build(),
            HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void theFrameShowsTheServerAndLinksItsPages() throws Exception {
    HttpResponse<String> page = get("/list");
    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.body())
        .startsWith("<!DOCTYPE html>")
        .contains("<a href=\"/list\" aria-current=\"page\">List</a>")
        .contains("<a href=\"/gone\">Gone</a>")
        .contains("<a href=\"/x\">Else</a>")
        .contains("&lt;script&gt;", "small &amp; print")
        .doesNotContain("<script", "/one", "/text");
    assertThat(get("/static/kudu4j.css").headers().firstValue("Content-Type").orElseThrow())
        .startsWith("text/css");
  }

  @Test
  void answersForbidScriptsAndFrames() throws Exception {
    assertThat(get("/").headers().map())
        .containsEntry("X-Frame-Options", List.of("DENY"))
        .containsEntry("X-Content-Type-Options", List.of("nosniff"))
        .containsEntry("Cache-Control", List.of("no-store"))
        .hasEntrySatisfying(
            "Content-Security-Policy",
            policy -> assertThat(policy.get(0)).contains("default-src 'none'", "style-src 'self'"));
  }

  @Test
  void idleConnectionsDoNotBlockOthers() throws Exception {
    List<Socket> idle = new ArrayList<>();
    for (int i = 0; i < WebLimits.SMALL.connections() + 16; i++) {
      idle.add(new Socket(InetAddress.getLoopbackAddress(), server.port()));
    }
    assertThat(get("/").statusCode()).isEqualTo(200);
    for (Socket socket : idle) {
      socket.close();
    }
  }

  @Test
  void longListsAreSplitIntoPages() throws Exception {
    assertThat(get("/list").body()).contains("n200<", "1 to 200 of 450").doesNotContain("n201<");
    assertThat(get("/list?page=3").body())
        .contains("n401<", "n450<", "href=\"/list?page=2\"")
        .doesNotContain("n400<", "Later →");
    assertThat(get("/list?page=99").body()).contains("n450<");
    assertThat(get("/list?page=-1").body()).contains("n1<");
    assertThat(get("/list?page=junk").body()).contains("n1<");
  }

  @Test
  void aDetailPageLinksToItsList() throws Exception {
    assertThat(get("/one?id=%3Cb%3E").body())
        .contains("&lt;b&gt;", "<a href=\"/list\">List</a>", "aria-current=\"true\"");
    assertThat(get("/one").statusCode()).isEqualTo(400);
  }

  @Test
  void errorsAreShownInThePageFrame() throws Exception {
    HttpResponse<String> gone = get("/gone");
    assertThat(gone.statusCode()).isEqualTo(404);
    assertThat(gone.body()).contains("no &lt;script&gt;", "href=\"/list\"");
    assertThat(get("/later").statusCode()).isEqualTo(503);
    assertThat(get("/nowhere").statusCode()).isEqualTo(404);
    HttpResponse<String> broken = get("/broken");
    assertThat(broken.statusCode()).isEqualTo(500);
    assertThat(broken.body()).doesNotContain("secret");
    assertThat(get("/text").body()).isEqualTo("text");
  }
}

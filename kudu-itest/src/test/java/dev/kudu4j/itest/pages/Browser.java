package dev.kudu4j.itest.pages;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.core.ConditionFactory;

/**
 * A headless Chromium, controlled over its debugging protocol. It runs no script of the pages that
 * it shows, and records every error of their requests.
 */
@SuppressWarnings("try") // an interrupt ends the test
final class Browser implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long SECONDS = 60;
  private static final List<String> NAMES =
      List.of(
          "chromium",
          "chromium-browser",
          "google-chrome",
          "google-chrome-stable",
          "chrome",
          "headless_shell",
          "chrome-headless-shell");

  private final Process process;
  private final WebSocket socket;
  private final AtomicInteger lastId = new AtomicInteger();
  private final Map<Integer, CompletableFuture<JsonNode>> answers = new ConcurrentHashMap<>();
  private final List<String> complaints = new CopyOnWriteArrayList<>();
  private volatile CompletableFuture<Void> loaded = new CompletableFuture<>();

  /** Size of the window, and whether the user prefers dark mode. */
  record Look(int width, int height, boolean dark) {}

  private Browser(Process process, URI page) throws Exception {
    this.process = process;
    this.socket =
        HttpClient.newHttpClient()
            .newWebSocketBuilder()
            .buildAsync(page, new Listener())
            .get(SECONDS, TimeUnit.SECONDS);
    for (String domain : List.of("Page", "Network", "Log", "Runtime")) {
      call(domain + ".enable", JSON.createObjectNode());
    }
    call("Emulation.setScriptExecutionDisabled", JSON.createObjectNode().put("value", true));
  }

  /** The browser's program, on the path or where Playwright installs it; empty if there is none. */
  static Optional<Path> find() throws IOException {
    for (String directory : System.getenv("PATH").split(File.pathSeparator, -1)) {
      for (String name : NAMES) {
        Path candidate = Path.of(directory, name);
        if (!directory.isEmpty() && Files.isExecutable(candidate)) {
          return Optional.of(candidate);
        }
      }
    }
    Path cache = Path.of(System.getProperty("user.home"), ".cache", "ms-playwright");
    if (!Files.isDirectory(cache)) {
      return Optional.empty();
    }
    try (Stream<Path> files = Files.walk(cache, 4)) {
      return files
          .filter(file -> NAMES.contains(String.valueOf(file.getFileName())))
          .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
          .findFirst();
    }
  }

  /**
   * Starts the program.
   *
   * @param home directory for all files that it writes
   */
  static Browser start(Path program, Path home) throws Exception {
    Process process =
        new ProcessBuilder(
                program.toString(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--hide-scrollbars",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--remote-debugging-port=0",
                "--user-data-dir=" + home,
                "about:blank")
            .redirectErrorStream(true)
            .redirectOutput(home.resolve("browser.log").toFile())
            .start();
    try {
      return new Browser(process, firstPage(process, home.resolve("DevToolsActivePort")));
    } catch (Throwable e) {
      process.destroyForcibly();
      throw e;
    }
  }

  private static URI firstPage(Process process, Path portFile) throws Exception {
    eventually(process, "the browser tells its port")
        .until(() -> Files.exists(portFile) && Files.readAllLines(portFile).size() >= 2);
    String port = Files.readAllLines(portFile).get(0);
    return eventually(process, "the browser has a page")
        .until(() -> pageAt(port), Optional::isPresent)
        .orElseThrow();
  }

  private static ConditionFactory eventually(Process process, String description) {
    return await(description)
        .atMost(Duration.ofSeconds(SECONDS))
        .failFast("the browser has ended", () -> !process.isAlive());
  }

  private static Optional<URI> pageAt(String port) throws Exception {
    HttpResponse<String> pages =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/json/list"))
                    .build(),
                HttpResponse.BodyHandlers.ofString());
    for (JsonNode page : JSON.readTree(pages.body())) {
      if (page.get("type").asText().equals("page")) {
        return Optional.of(URI.create(page.get("webSocketDebuggerUrl").asText()));
      }
    }
    return Optional.empty();
  }

  /** Receives answers and events, in pieces. */
  private final class Listener implements WebSocket.Listener {
    private final StringBuilder text = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence piece, boolean last) {
      text.append(piece);
      if (last) {
        try {
          received(JSON.readTree(text.toString()));
        } catch (IOException e) {
          complaints.add(e.toString());
        }
        text.setLength(0);
      }
      from.request(1);
      return null;
    }

    @Override
    public void onError(WebSocket from, Throwable failure) {
      answers.values().forEach(answer -> answer.completeExceptionally(failure));
    }
  }

  private void received(JsonNode message) {
    if (message.has("id")) {
      CompletableFuture<JsonNode> answer = answers.remove(message.get("id").asInt());
      if (message.has("error")) {
        answer.completeExceptionally(new IOException(message.get("error").toString()));
      } else {
        answer.complete(message.get("result"));
      }
      return;
    }
    JsonNode event = message.get("params");
    switch (message.get("method").asText()) {
      case "Page.loadEventFired" -> loaded.complete(null);
      case "Network.loadingFailed" -> complaints.add("Failed: " + event);
      case "Log.entryAdded" -> complaints.add("Logged: " + event);
      case "Network.responseReceived" -> {
        JsonNode response = event.get("response");
        if (response.get("status").asInt() >= 400) {
          complaints.add(response.get("status") + " for " + response.get("url").asText());
        }
      }
      default -> {}
    }
  }

  private JsonNode call(String method, ObjectNode parameters) throws Exception {
    int id = lastId.incrementAndGet();
    CompletableFuture<JsonNode> answer = new CompletableFuture<>();
    answers.put(id, answer);
    ObjectNode request = JSON.createObjectNode().put("id", id).put("method", method);
    request.set("params", parameters);
    socket.sendText(request.toString(), true).get(SECONDS, TimeUnit.SECONDS);
    return answer.get(SECONDS, TimeUnit.SECONDS);
  }

  void look(Look look) throws Exception {
    call(
        "Emulation.setDeviceMetricsOverride",
        JSON.createObjectNode()
            .put("width", look.width())
            .put("height", look.height())
            .put("deviceScaleFactor", 1)
            .put("mobile", false));
    ObjectNode media = JSON.createObjectNode();
    media
        .putArray("features")
        .addObject()
        .put("name", "prefers-color-scheme")
        .put("value", look.dark() ? "dark" : "light");
    call("Emulation.setEmulatedMedia", media);
  }

  /** Opens a page and waits until it is loaded completely. */
  void open(String address) throws Exception {
    loaded = new CompletableFuture<>();
    call("Page.navigate", JSON.createObjectNode().put("url", address));
    loaded.get(SECONDS, TimeUnit.SECONDS);
  }

  /** The text that a reader sees. */
  String text() throws Exception {
    return ask("document.body.innerText").asText();
  }

  /** The value of an expression about the page. */
  JsonNode ask(String expression) throws Exception {
    JsonNode answer =
        call(
            "Runtime.evaluate",
            JSON.createObjectNode().put("expression", expression).put("returnByValue", true));
    return answer.get("result").path("value");
  }

  /** A screenshot of the whole page, whatever its length, as PNG. */
  byte[] picture() throws Exception {
    JsonNode answer =
        call(
            "Page.captureScreenshot",
            JSON.createObjectNode().put("format", "png").put("captureBeyondViewport", true));
    return Base64.getDecoder().decode(answer.get("data").asText());
  }

  /** Errors of requests and contents so far. */
  List<String> complaints() {
    return new ArrayList<>(complaints);
  }

  @Override
  public void close() throws InterruptedException {
    socket.abort();
    process.destroy();
    if (!process.waitFor(10, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
    }
  }
}

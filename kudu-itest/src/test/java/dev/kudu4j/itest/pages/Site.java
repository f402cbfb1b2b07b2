package dev.kudu4j.itest.pages;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The web pages of a cluster, for a reader who follows links. */
final class Site {
  /** A page as received. */
  record Answer(URI address, int status, String type, String text) {}

  private static final Pattern LINK = Pattern.compile("(?:href|src|action)=\"([^\"]*)\"");
  private static final int MAX_PAGES = 300;

  private final HttpClient client =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(60)).build();

  Answer get(String address) throws Exception {
    HttpResponse<String> answer =
        client.send(
            HttpRequest.newBuilder(URI.create(address)).timeout(Duration.ofSeconds(60)).build(),
            HttpResponse.BodyHandlers.ofString());
    return new Answer(
        answer.uri(),
        answer.statusCode(),
        answer.headers().firstValue("Content-Type").orElse(""),
        answer.body());
  }

  /**
   * Every page that links lead to, in any number of steps, from any of the addresses. Links to
   * other sites are errors.
   */
  List<Answer> follow(List<String> starts) throws Exception {
    Map<URI, Answer> seen = new LinkedHashMap<>();
    Deque<URI> next = new ArrayDeque<>();
    starts.forEach(start -> next.add(URI.create(start + "/")));
    while (!next.isEmpty()) {
      URI address = next.poll();
      if (seen.containsKey(address)) {
        continue;
      }
      if (starts.stream().noneMatch(start -> address.toString().startsWith(start + "/"))) {
        throw new AssertionError("A link leads out of the cluster: " + address);
      }
      Answer answer = get(address.toString());
      seen.put(address, answer);
      if (seen.size() > MAX_PAGES) {
        throw new AssertionError("There is no end to the pages; the last was " + address);
      }
      next.addAll(links(answer));
    }
    return new ArrayList<>(seen.values());
  }

  private static List<URI> links(Answer answer) {
    List<URI> links = new ArrayList<>();
    if (answer.type().startsWith("text/html")) {
      Matcher matcher = LINK.matcher(answer.text());
      while (matcher.find()) {
        String link = matcher.group(1).replace("&amp;", "&");
        if (!link.startsWith("data:")) {
          links.add(answer.address().resolve(link));
        }
      }
    }
    return links;
  }
}

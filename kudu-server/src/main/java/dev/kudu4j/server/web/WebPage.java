package dev.kudu4j.server.web;

import java.util.function.Function;

/**
 * One page of a server: its path, and what answers a query of it, on a thread of the web server.
 */
public sealed interface WebPage {
  String path();

  /** As the navigation calls it; empty for a page that only links lead to. */
  String title();

  /** A page for people, to be framed. */
  record Html(String path, String title, Function<Query, View> answer) implements WebPage {}

  /** Text for programs, as it is. */
  record Raw(String path, String title, String contentType, Function<Query, String> answer)
      implements WebPage {}

  /** A page of the navigation. */
  static WebPage of(String path, String title, Function<Query, View> answer) {
    return new Html(path, title, answer);
  }

  /** A page that only links lead to: it shows one thing of many. */
  static WebPage detail(String path, Function<Query, View> answer) {
    return new Html(path, "", answer);
  }

  /** Plain text. */
  static WebPage plain(String path, String title, Function<Query, String> answer) {
    return new Raw(path, title, "text/plain; charset=utf-8", answer);
  }

  /** JSON. */
  static WebPage json(String path, String title, Function<Query, String> answer) {
    return new Raw(path, title, "application/json; charset=utf-8", answer);
  }
}

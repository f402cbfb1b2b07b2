package dev.kudu4j.server.web;

import java.util.function.Function;

/**
 * One page of a server: its path, and the function that answers a query on a thread of the web
 * server.
 */
public sealed interface WebPage {
  String path();

  /** The title in the navigation; empty for a page that is not part of the navigation. */
  String title();

  /** A page for people, shown in the frame. */
  record Html(String path, String title, Function<Query, View> answer) implements WebPage {}

  /** Text for programs, without the frame. */
  record Raw(String path, String title, String contentType, Function<Query, String> answer)
      implements WebPage {}

  /** A page for people that the navigation contains. */
  static WebPage of(String path, String title, Function<Query, View> answer) {
    return new Html(path, title, answer);
  }

  /**
   * A page that the navigation does not contain, because it shows one of many things, such as a
   * tablet. Other pages link to it.
   */
  static WebPage detail(String path, Function<Query, View> answer) {
    return new Html(path, "", answer);
  }

  /** A page of plain text for programs. */
  static WebPage plain(String path, String title, Function<Query, String> answer) {
    return new Raw(path, title, "text/plain; charset=utf-8", answer);
  }

  /** A page of JSON for programs. */
  static WebPage json(String path, String title, Function<Query, String> answer) {
    return new Raw(path, title, "application/json; charset=utf-8", answer);
  }
}

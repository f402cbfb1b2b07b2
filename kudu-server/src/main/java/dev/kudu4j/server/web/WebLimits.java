package dev.kudu4j.server.web;

/**
 * The limits of the web server.
 *
 * @param threads the maximum number of threads that serve requests
 * @param connections the maximum number of open connections; further connections wait to be
 *     accepted
 */
public record WebLimits(int threads, int connections) {
  /** Limits for servers in tests. */
  public static final WebLimits SMALL = new WebLimits(16, 64);

  public WebLimits {
    if (threads <= 0 || connections <= 0) {
      throw new IllegalArgumentException("Limits of the web server must be positive");
    }
  }
}

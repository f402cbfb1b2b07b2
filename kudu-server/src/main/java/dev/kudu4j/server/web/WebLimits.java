package dev.kudu4j.server.web;

/**
 * What the web server may take of the process.
 *
 * @param threads that serve, at most
 * @param connections open at once; the next one waits to be accepted
 */
public record WebLimits(int threads, int connections) {
  /** For a server that nobody but its tests asks. */
  public static final WebLimits SMALL = new WebLimits(16, 64);

  public WebLimits {
    if (threads <= 0 || connections <= 0) {
      throw new IllegalArgumentException("Limits of the web server must be positive");
    }
  }
}

package dev.kudu4j.itest.support;

import dev.kudu4j.common.proto.common.HostPortPB;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** The values of a server's metrics page at one moment. */
public final class Metrics {
  private final String page;

  private Metrics(String page) {
    this.page = page;
  }

  public static Metrics of(Daemon daemon) throws IOException {
    HostPortPB web = AdminCalls.webAddress(daemon);
    URI uri = URI.create("http://" + web.getHost() + ":" + web.getPort() + "/metrics_prometheus");
    try (InputStream answer = uri.toURL().openStream()) {
      return new Metrics(new String(answer.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  /**
   * The sum over all lines of that name.
   *
   * @param labels prefix of each line's labels; empty for all
   */
  public double sum(String name, String labels) {
    String start = labels.isEmpty() ? name : name + "{" + labels;
    return page.lines()
        .filter(line -> line.startsWith(start) && " {".indexOf(line.charAt(name.length())) >= 0)
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }
}

package dev.kudu4j.benchmarks.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The counters of a Kudu4j server at one moment, read from its Prometheus page. */
public final class ServerCounts {
  private record Line(String name, String labels, double value) {}

  private final List<Line> lines = new ArrayList<>();

  private ServerCounts(String page) {
    page.lines().filter(line -> !line.startsWith("#")).forEach(this::add);
  }

  static ServerCounts read(InetSocketAddress web) {
    URI uri =
        URI.create("http://" + web.getHostString() + ":" + web.getPort() + "/metrics_prometheus");
    try (InputStream answer = uri.toURL().openStream()) {
      return new ServerCounts(new String(answer.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read " + uri, e);
    }
  }

  /** Parses a line of the form {@code name{labels} value}; the labels are optional. */
  private void add(String line) {
    int blank = line.lastIndexOf(' ');
    int brace = line.indexOf('{');
    String name = line.substring(0, brace < 0 ? blank : brace);
    String labels = brace < 0 ? "" : line.substring(brace, blank);
    lines.add(new Line(name, labels, Double.parseDouble(line.substring(blank + 1))));
  }

  /**
   * The sum over all lines with the given name. It is 0 if there is no such line, since a counter
   * appears only when it has a value.
   *
   * @param label label that a line must have, such as {@code pool="data"}; empty for any
   */
  public double sum(String name, String label) {
    return lines.stream()
        .filter(line -> line.name.equals(name) && line.labels.contains(label))
        .mapToDouble(Line::value)
        .sum();
  }
}

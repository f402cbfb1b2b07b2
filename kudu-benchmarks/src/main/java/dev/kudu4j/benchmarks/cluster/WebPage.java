package dev.kudu4j.benchmarks.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;

/** A page of a server's web port. */
final class WebPage {
  private static final ObjectMapper JSON = new ObjectMapper();

  private WebPage() {}

  static JsonNode json(InetSocketAddress address, String pathAndQuery) {
    URI uri =
        URI.create("http://" + address.getHostString() + ":" + address.getPort() + pathAndQuery);
    try (InputStream in = uri.toURL().openStream()) {
      return JSON.readTree(in);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read " + uri, e);
    }
  }
}

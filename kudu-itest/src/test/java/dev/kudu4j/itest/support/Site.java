package dev.kudu4j.itest.support;

import java.util.List;

/**
 * The environment in which a server runs.
 *
 * @param host its address
 * @param launcher prefix of its command line
 */
public record Site(String host, List<String> launcher) {
  public static final Site LOOPBACK = new Site("127.0.0.1", List.of());
}

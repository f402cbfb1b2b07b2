package dev.kudu4j.itest.support;

import java.util.List;

/**
 * Where a server lives.
 *
 * @param host its address
 * @param launcher what stands before its command, to start it there
 */
public record Site(String host, List<String> launcher) {
  public static final Site LOOPBACK = new Site("127.0.0.1", List.of());
}

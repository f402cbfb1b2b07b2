package dev.kudu4j.tools.connection;

import dev.kudu4j.common.status.KuduException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The masters of a cluster, as given by an operator: {@code host[:port][,host[:port]...]}, or
 * {@code @NAME} for a cluster in {@link ClusterNames}.
 *
 * @param addresses the addresses, at least one; names are not resolved
 * @param defaulted whether the operator gave none
 */
public record Masters(List<InetSocketAddress> addresses, boolean defaulted) {
  public static final int DEFAULT_PORT = 7051;

  /** Environment variable with the default masters. */
  public static final String VARIABLE = "KUDU_MASTERS";

  /** Prefix of the name of a cluster. */
  private static final String CLUSTER_MARK = "@";

  private static final String DEFAULT = "127.0.0.1:" + DEFAULT_PORT;
  private static final Pattern ADDRESS =
      Pattern.compile("(?:\\[([0-9a-fA-F:.]+)]|([^\\s:,@\\[\\]]+))(?::(\\d{1,5}))?");

  /**
   * @throws KuduException INVALID_ARGUMENT for an invalid address, NOT_FOUND for an unknown cluster
   *     name
   */
  public static Masters of(String text) {
    return of(text, false);
  }

  /** The masters in the environment variable, or else the master of a cluster on this machine. */
  public static Masters standard() {
    String named = System.getenv(VARIABLE);
    return of(named == null || named.isBlank() ? DEFAULT : named, true);
  }

  private static Masters of(String text, boolean defaulted) {
    String stripped = text.strip();
    return stripped.startsWith(CLUSTER_MARK)
        ? new Masters(
            ClusterNames.ofEnvironment().masters(stripped.substring(1)).addresses(), defaulted)
        : ofAddresses(text, defaulted);
  }

  /** Parses addresses without resolving cluster names. */
  static Masters ofAddresses(String text, boolean defaulted) {
    List<InetSocketAddress> addresses = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      Matcher address = ADDRESS.matcher(part.strip());
      int port =
          !address.matches()
              ? 0
              : address.group(3) == null ? DEFAULT_PORT : Integer.parseInt(address.group(3));
      if (port < 1 || port > 65_535) {
        throw KuduException.invalidArgument(
            "'%s' is not the address of a master; the format is HOST:PORT, with commas"
                + " between several addresses",
            part);
      }
      String host = address.group(1) == null ? address.group(2) : address.group(1);
      addresses.add(InetSocketAddress.createUnresolved(host, port));
    }
    return new Masters(List.copyOf(addresses), defaulted);
  }

  /** Whether the text looks like masters, and is unlikely to be another argument. */
  static boolean looksLike(String text) {
    return text.startsWith(CLUSTER_MARK) || text.matches("[\\w.-]+:\\d{1,5}(,[\\w.-]+:\\d{1,5})*");
  }

  /** The addresses in the format of a client. */
  @Override
  public String toString() {
    return addresses.stream().map(ClusterCalls::text).collect(Collectors.joining(","));
  }
}

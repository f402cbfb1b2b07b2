package dev.kudu4j.common.wire;

import dev.kudu4j.common.id.ForeignText;
import dev.kudu4j.common.proto.common.HostPortPB;
import dev.kudu4j.common.status.KuduException;
import java.util.List;

/**
 * Checks addresses that others state. A bad one that is kept or passed on does its harm later and
 * elsewhere: in every client that is told of it, or in every report that names it.
 */
public final class HostPortWire {
  private static final int LONGEST_HOST = 255;
  private static final int HIGHEST_PORT = 65_535;

  /** More addresses than any server has. */
  private static final int MOST_ADDRESSES = 64;

  private HostPortWire() {}

  /** Whether somebody can be called there. */
  public static boolean isValid(HostPortPB address) {
    return isValid(address.getHost(), address.getPort());
  }

  public static boolean isValid(String host, int port) {
    return isHost(host) && port >= 1 && port <= HIGHEST_PORT;
  }

  /**
   * Whether a text can be a host: a name or a number, IPv6 with or without brackets and zone. A
   * leading hyphen is not allowed in names, and programs take it for an option.
   */
  public static boolean isHost(String host) {
    if (host.isEmpty() || host.length() > LONGEST_HOST || host.charAt(0) == '-') {
      return false;
    }
    for (int i = 0; i < host.length(); i++) {
      char c = host.charAt(i);
      boolean plain =
          (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z')
              || (c >= '0' && c <= '9')
              || ".-_:%".indexOf(c) >= 0
              || (c == '[' && i == 0)
              || (c == ']' && i == host.length() - 1);
      if (!plain) {
        return false;
      }
    }
    return true;
  }

  /**
   * The address that a field holds.
   *
   * @param field its name, for the message
   * @throws KuduException INVALID_ARGUMENT when nobody can be called there
   */
  public static HostPortPB require(String field, HostPortPB address) {
    if (!isHost(address.getHost())) {
      throw KuduException.invalidArgument(
          "%s must name a host, by name or number; %s is none",
          field, ForeignText.shown(address.getHost()));
    }
    if (!isValid(address)) {
      throw KuduException.invalidArgument(
          "%s must have a port from 1 to %d, not %d", field, HIGHEST_PORT, address.getPort());
    }
    return address;
  }

  /** The same for all addresses of a field; how many is limited too. */
  public static void requireAll(String field, List<HostPortPB> addresses) {
    if (addresses.size() > MOST_ADDRESSES) {
      throw KuduException.invalidArgument(
          "%s holds %d addresses; %d are allowed", field, addresses.size(), MOST_ADDRESSES);
    }
    addresses.forEach(address -> require(field, address));
  }
}

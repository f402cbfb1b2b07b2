package dev.kudu4j.common.wire;

import dev.kudu4j.common.id.UntrustedText;
import dev.kudu4j.common.proto.common.HostPortPB;
import dev.kudu4j.common.status.KuduException;
import java.util.List;

/**
 * Validates addresses from other processes. An invalid address that is stored or forwarded would
 * cause errors elsewhere: in clients that receive it, or in reports that contain it.
 */
public final class HostPortWire {
  private static final int LONGEST_HOST = 255;
  private static final int HIGHEST_PORT = 65_535;

  /** Maximum number of addresses of a server. */
  private static final int MAX_ADDRESSES = 64;

  private HostPortWire() {}

  /** Whether the address is valid. */
  public static boolean isValid(HostPortPB address) {
    return isValid(address.getHost(), address.getPort());
  }

  public static boolean isValid(String host, int port) {
    return isHost(host) && port >= 1 && port <= HIGHEST_PORT;
  }

  /**
   * Whether a string can be a host: a name or an IP address. An IPv6 address may have brackets and
   * a zone. A leading hyphen is invalid in names, and programs would read it as an option.
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
   * Returns the address in a field.
   *
   * @param field name of the field, for the error message
   * @throws KuduException INVALID_ARGUMENT if the address is invalid
   */
  public static HostPortPB require(String field, HostPortPB address) {
    if (!isHost(address.getHost())) {
      throw KuduException.invalidArgument(
          "%s must contain a host name or IP address; %s is neither",
          field, UntrustedText.format(address.getHost()));
    }
    if (!isValid(address)) {
      throw KuduException.invalidArgument(
          "%s must have a port from 1 to %d, not %d", field, HIGHEST_PORT, address.getPort());
    }
    return address;
  }

  /** Validates all addresses of a field, and their number. */
  public static void requireAll(String field, List<HostPortPB> addresses) {
    if (addresses.size() > MAX_ADDRESSES) {
      throw KuduException.invalidArgument(
          "%s contains %d addresses; the maximum is %d", field, addresses.size(), MAX_ADDRESSES);
    }
    addresses.forEach(address -> require(field, address));
  }
}

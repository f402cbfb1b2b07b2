package dev.kudu4j.common.security;

import dev.kudu4j.common.status.KuduException;
import java.net.InetAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;

/** Subnets in CIDR form, such as {@code 10.0.0.0/8} or {@code fd00::/8}. */
public final class Subnets {
  private static final Pattern NUMERIC = Pattern.compile("[0-9.]+|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");

  private record Block(byte[] network, int prefixBits) {
    boolean contains(byte[] address) {
      if (address.length != network.length) {
        return false;
      }
      int wholeBytes = prefixBits / Byte.SIZE;
      for (int i = 0; i < wholeBytes; i++) {
        if (address[i] != network[i]) {
          return false;
        }
      }
      int restBits = prefixBits % Byte.SIZE;
      int mask = (0xff << (Byte.SIZE - restBits)) & 0xff;
      return restBits == 0 || (address[wholeBytes] & mask) == (network[wholeBytes] & mask);
    }
  }

  private final List<Block> blocks;

  private Subnets(List<Block> blocks) {
    this.blocks = List.copyOf(blocks);
  }

  /**
   * Parses the comma-separated subnets of a flag.
   *
   * @throws KuduException INVALID_ARGUMENT if {@code text} is invalid; the message contains the
   *     name of the flag
   */
  public static Subnets parse(String flag, String text) {
    List<Block> blocks = new ArrayList<>();
    for (String part : text.split(",")) {
      if (!part.isBlank()) {
        blocks.add(block(flag, part.strip()));
      }
    }
    return new Subnets(blocks);
  }

  private static Block block(String flag, String text) {
    int slash = text.indexOf('/');
    try {
      String address = slash < 0 ? "" : text.substring(0, slash);
      if (!NUMERIC.matcher(address).matches()) { // getByName would resolve a host name
        throw notABlock(flag, text);
      }
      byte[] network = InetAddress.getByName(address).getAddress();
      int prefixBits = Integer.parseInt(text.substring(slash + 1));
      if (prefixBits < 0 || prefixBits > network.length * Byte.SIZE) {
        throw notABlock(flag, text);
      }
      return new Block(network, prefixBits);
    } catch (UnknownHostException | NumberFormatException e) {
      throw notABlock(flag, text);
    }
  }

  private static KuduException notABlock(String flag, String text) {
    return KuduException.invalidArgument(
        "Flag --%s contains '%s', which is not a subnet; examples are 10.0.0.0/8 and fd00::/8",
        flag, text);
  }

  /** These subnets and those of all local network interfaces. */
  public Subnets withLocalInterfaces() {
    List<Block> all = new ArrayList<>(blocks);
    try {
      for (NetworkInterface each : Collections.list(NetworkInterface.getNetworkInterfaces())) {
        for (InterfaceAddress address : each.getInterfaceAddresses()) {
          all.add(new Block(address.getAddress().getAddress(), address.getNetworkPrefixLength()));
        }
      }
    } catch (SocketException e) {
      // Without a list of interfaces, only the configured subnets count.
    }
    return new Subnets(all);
  }

  public boolean contains(InetAddress address) {
    byte[] bytes = address.getAddress(); // Java represents IPv4-mapped IPv6 addresses as IPv4
    return blocks.stream().anyMatch(block -> block.contains(bytes));
  }
}

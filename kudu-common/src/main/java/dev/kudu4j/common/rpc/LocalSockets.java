package dev.kudu4j.common.rpc;

import dev.kudu4j.common.status.KuduException;
import io.netty.channel.Channel;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.channel.unix.DomainSocketChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;

/**
 * The addresses of Unix-domain sockets, over which clients reach a server on their own host.
 *
 * <p>The text of an address is an absolute path in the file system, or {@code @} and a name in the
 * abstract namespace of Linux, which exists only while a process listens on it. Servers announce
 * this text to masters, and masters to clients, as Apache Kudu does.
 */
public final class LocalSockets {
  /** The size of {@code sockaddr_un.sun_path} on Linux; a path ends with a zero byte. */
  private static final int MAX_PATH_BYTES = 107;

  private static final char ABSTRACT_IN_TEXT = '@';
  private static final char ABSTRACT_IN_ADDRESS = '\0';

  private LocalSockets() {}

  /** The socket of the tablet server with this uuid, as Apache Kudu names it. */
  public static String ofServer(String uuid) {
    return ABSTRACT_IN_TEXT + "kudu-" + uuid;
  }

  /**
   * Whether {@code text} is the text of an address. Servers and masters pass it on, so it may come
   * from an unauthenticated client.
   */
  public static boolean isValid(String text) {
    return text.length() > 1
        && (text.charAt(0) == ABSTRACT_IN_TEXT || text.charAt(0) == '/')
        && text.chars().noneMatch(Character::isISOControl)
        && text.getBytes(StandardCharsets.UTF_8).length <= MAX_PATH_BYTES;
  }

  /**
   * The address with this text.
   *
   * @throws KuduException INVALID_ARGUMENT if {@code text} is not valid
   */
  public static SocketAddress address(String text) {
    if (!isValid(text)) {
      throw KuduException.invalidArgument(
          "%s is no Unix-domain socket: it must be an absolute path or @ and a name, of at most"
              + " %d bytes",
          text, MAX_PATH_BYTES);
    }
    return new DomainSocketAddress(
        text.charAt(0) == ABSTRACT_IN_TEXT ? ABSTRACT_IN_ADDRESS + text.substring(1) : text);
  }

  /**
   * Whether this is a connection over a Unix-domain socket. An accepted channel does not know its
   * local address, so this looks at its class.
   */
  static boolean isLocal(Channel channel) {
    return channel instanceof DomainSocketChannel;
  }

  /**
   * The address at the other end of an accepted connection. For a Unix-domain socket, and for a
   * connection that is already closed, that of loopback with port 0.
   */
  static InetSocketAddress remoteAddress(Channel channel) {
    return channel.remoteAddress() instanceof InetSocketAddress remote
        ? remote
        : new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  static boolean isLocal(SocketAddress address) {
    return address instanceof DomainSocketAddress;
  }

  /** The text of any socket address, for messages and log lines. */
  static String text(SocketAddress address) {
    if (address instanceof InetSocketAddress tcp) {
      return tcp.getHostString() + ":" + tcp.getPort();
    }
    if (address instanceof DomainSocketAddress local) {
      String path = local.path();
      return path.startsWith(String.valueOf(ABSTRACT_IN_ADDRESS))
          ? ABSTRACT_IN_TEXT + path.substring(1)
          : path;
    }
    return address.toString();
  }
}

package dev.kudu4j.server.transport;

import dev.kudu4j.common.security.ClusterSecret;
import java.net.InetSocketAddress;
import java.util.Optional;
import org.apache.ratis.conf.Parameters;

/**
 * The settings of one server's transport.
 *
 * @param bind interface and port
 * @param maxEntryBytes largest log entry; also the maximum size of all entries in one append
 * @param secret the cluster secret that every connecting server must hold; without a secret, a
 *     server may connect only from a known address
 * @param directory the hosts of other servers
 * @param votes receives election events
 */
public record TransportOptions(
    InetSocketAddress bind,
    int maxEntryBytes,
    Optional<ClusterSecret> secret,
    PeerDirectory directory,
    VoteWatch votes) {
  private static final String KEY = TransportOptions.class.getName();

  /** Maximum number of unanswered appends of one group to one follower. */
  static final int APPENDS_UNDER_WAY = 2;

  /** Maximum number of bytes in unanswered appends of all groups to one server. */
  static final int WINDOW_BYTES = 16 << 20;

  /**
   * Maximum number of bytes of requests on one connection that may wait to be handled. Above this
   * limit the connection is not read.
   */
  static final int UNHANDLED_BYTES = 32 << 20;

  int maxFrameBytes() {
    return 4 * maxEntryBytes;
  }

  /** The settings as Ratis passes them to the {@link KuduRpcType}. */
  public Parameters toParameters() {
    Parameters parameters = new Parameters();
    parameters.put(KEY, this, TransportOptions.class);
    return parameters;
  }

  static TransportOptions from(Parameters parameters) {
    return parameters.getNonNull(KEY, TransportOptions.class);
  }
}

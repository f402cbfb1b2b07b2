package dev.kudu4j.server.transport;

import dev.kudu4j.common.security.ClusterSecret;
import java.net.InetSocketAddress;
import java.util.Optional;
import org.apache.ratis.conf.Parameters;

/**
 * What the transport of one server is given.
 *
 * @param bind interface and port
 * @param maxEntryBytes largest log entry; also the most that one append carries
 * @param secret what each server at the other end of a connection must hold; without one its
 *     address must be the one at which it is known
 * @param directory where other servers are
 * @param votes follows elections
 */
public record TransportOptions(
    InetSocketAddress bind,
    int maxEntryBytes,
    Optional<ClusterSecret> secret,
    PeerDirectory directory,
    VoteWatch votes) {
  private static final String KEY = TransportOptions.class.getName();

  /** A group's appends under way to one follower. */
  static final int APPENDS_UNDER_WAY = 2;

  /** All groups' bytes under way to one server. */
  static final int WINDOW_BYTES = 16 << 20;

  /** Bytes of one connection that may wait for their groups before it is not read any more. */
  static final int UNHANDLED_BYTES = 32 << 20;

  int maxFrameBytes() {
    return 4 * maxEntryBytes;
  }

  /** The form in which Ratis hands them to the {@link KuduRpcType}. */
  public Parameters toParameters() {
    Parameters parameters = new Parameters();
    parameters.put(KEY, this, TransportOptions.class);
    return parameters;
  }

  static TransportOptions from(Parameters parameters) {
    return parameters.getNonNull(KEY, TransportOptions.class);
  }
}

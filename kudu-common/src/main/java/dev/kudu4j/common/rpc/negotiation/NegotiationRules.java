package dev.kudu4j.common.rpc.negotiation;

import dev.kudu4j.common.security.ClusterSecret;
import java.net.InetAddress;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A server's requirements for a connection.
 *
 * @param trusted addresses from which connections without encryption are accepted
 * @param secret the cluster secret; a peer that proves to have it counts as a server of the cluster
 */
public record NegotiationRules(Predicate<InetAddress> trusted, Optional<ClusterSecret> secret) {
  /** Everyone may connect, and nobody can prove to be a server. */
  public static final NegotiationRules OPEN =
      new NegotiationRules(address -> true, Optional.empty());
}

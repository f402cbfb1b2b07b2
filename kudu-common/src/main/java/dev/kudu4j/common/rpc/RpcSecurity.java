package dev.kudu4j.common.rpc;

import dev.kudu4j.common.rpc.negotiation.Negotiated;
import dev.kudu4j.common.rpc.negotiation.NegotiationRules;
import dev.kudu4j.common.security.ClusterSecret;
import dev.kudu4j.common.security.UserList;
import java.net.InetAddress;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Who may connect to a server, and which roles a caller has. Only the proof of the cluster secret
 * is cryptographic: without TLS, the user name is what the client claims. The three user lists
 * therefore only prevent mistakes of well-behaved users; {@code trusted} keeps malicious clients
 * out.
 *
 * @param users users that may use the cluster
 * @param superusers users that may administer the cluster
 * @param services user names under which servers run; not used if there is a secret
 * @param trusted addresses that may connect without encryption
 * @param secret the cluster secret; if present, only callers that proved to have it get {@link
 *     Role#SERVICE}
 */
public record RpcSecurity(
    UserList users,
    UserList superusers,
    UserList services,
    Predicate<InetAddress> trusted,
    Optional<ClusterSecret> secret) {

  /** Every caller has all roles. */
  public static final RpcSecurity OPEN =
      new RpcSecurity(
          UserList.EVERYBODY,
          UserList.EVERYBODY,
          UserList.EVERYBODY,
          address -> true,
          Optional.empty());

  NegotiationRules negotiation() {
    return new NegotiationRules(trusted, secret);
  }

  Set<Role> rolesOf(Negotiated negotiated) {
    String user = negotiated.user();
    EnumSet<Role> roles = EnumSet.noneOf(Role.class);
    if (users.contains(user)) {
      roles.add(Role.USER);
    }
    if (superusers.contains(user)) {
      roles.add(Role.SUPERUSER);
    }
    if (secret.isPresent() ? negotiated.provenServer() : services.contains(user)) {
      roles.add(Role.SERVICE);
    }
    return roles;
  }
}

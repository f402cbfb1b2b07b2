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
 * Who may connect to a server, and which roles a caller has. Nothing here is cryptography but the
 * proof of the cluster's secret: without TLS a name is only what a client says, so the lists keep
 * apart those who mean no harm, and {@code trusted} keeps out the others.
 *
 * @param users who may use the cluster
 * @param superusers who may administer it
 * @param services the names under which servers run; not looked at when there is a secret
 * @param trusted addresses that may connect without encryption
 * @param secret of the cluster; with one, only a peer that proves it is a server
 */
public record RpcSecurity(
    UserList users,
    UserList superusers,
    UserList services,
    Predicate<InetAddress> trusted,
    Optional<ClusterSecret> secret) {

  /** Everybody may do everything. */
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

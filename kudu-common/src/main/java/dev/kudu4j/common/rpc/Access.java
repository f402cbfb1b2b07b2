package dev.kudu4j.common.rpc;

/**
 * The roles that may call a method. Every method declares its access; {@link RpcServer} checks it
 * before a call enters a queue.
 *
 * <p>The values are those of Apache Kudu's {@code authz_method} options. Kudu4j declares {@link
 * #SERVICE} for more methods than Apache Kudu, because only servers call these methods. {@code
 * docs/security.md} lists all methods.
 */
public enum Access {
  /** Users and superusers. For reading and writing rows, and dropping tables. */
  CLIENT(Role.USER, Role.SUPERUSER),
  /** Everyone with access to the cluster. For lookups. */
  CLIENT_OR_SERVICE(Role.USER, Role.SUPERUSER, Role.SERVICE),
  /** Servers, and superusers with a tool. For changes of replicas, members and leaders. */
  SUPERUSER_OR_SERVICE(Role.SUPERUSER, Role.SERVICE),
  /** Servers only. For heartbeats, creation of replicas and tablet copies. */
  SERVICE(Role.SERVICE),
  /** Superusers only. For flags, maintenance modes and the group of masters. */
  SUPERUSER(Role.SUPERUSER);

  @SuppressWarnings("ImmutableEnumChecker") // nothing changes the array
  private final Role[] admitted;

  Access(Role... admitted) {
    this.admitted = admitted;
  }

  /** Whether one of the caller's roles has access. */
  public boolean admits(Caller caller) {
    for (Role role : admitted) {
      if (caller.roles().contains(role)) {
        return true;
      }
    }
    return false;
  }
}

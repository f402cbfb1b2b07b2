package dev.kudu4j.common.rpc;

/**
 * Which roles may call a method. Every method declares one; {@link RpcServer} checks it before a
 * call enters a queue.
 *
 * <p>The classes are Apache Kudu's (its {@code authz_method} options); {@link #SERVICE} covers more
 * methods here, since only servers call them: {@code docs/security.md} lists every method.
 */
public enum Access {
  /** Users and superusers: reading and writing rows, dropping tables. */
  CLIENT(Role.USER, Role.SUPERUSER),
  /** Everybody known to the cluster: looking things up. */
  CLIENT_OR_SERVICE(Role.USER, Role.SUPERUSER, Role.SERVICE),
  /** Servers, and superusers with a tool: replicas, their members and leaders. */
  SUPERUSER_OR_SERVICE(Role.SUPERUSER, Role.SERVICE),
  /** Servers only: heartbeats, creation of replicas, tablet copies. */
  SERVICE(Role.SERVICE),
  /** Superusers only: flags, maintenance modes, the group of masters. */
  SUPERUSER(Role.SUPERUSER);

  private final Role[] admitted;

  Access(Role... admitted) {
    this.admitted = admitted;
  }

  /** Whether one of the caller's roles is admitted. */
  public boolean admits(Caller caller) {
    for (Role role : admitted) {
      if (caller.roles().contains(role)) {
        return true;
      }
    }
    return false;
  }
}

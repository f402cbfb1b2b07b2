package dev.kudu4j.common.rpc;

/** The relation of a caller to a server. A caller may have several roles, or none. */
public enum Role {
  /** May use the cluster: listed in {@code --user_acl}. */
  USER,
  /** May administer the cluster: listed in {@code --superuser_acl}. */
  SUPERUSER,
  /** Is another server of the cluster. */
  SERVICE
}

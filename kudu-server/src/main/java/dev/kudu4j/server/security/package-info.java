/**
 * Access to a server: the access lists, trusted networks and the cluster's secret, read from the
 * flags. Start with {@link dev.kudu4j.server.security.ServerSecurity}; docs/security.md describes
 * the security of a cluster as a whole.
 *
 * <p>The checks are made where calls arrive: in {@code dev.kudu4j.common.rpc} and on the Raft port.
 * This package does not decide which methods a user may call.
 */
@NullMarked
package dev.kudu4j.server.security;

import org.jspecify.annotations.NullMarked;

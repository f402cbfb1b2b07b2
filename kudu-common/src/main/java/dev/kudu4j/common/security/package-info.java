/**
 * Authentication between the servers of a cluster. Start with {@link
 * dev.kudu4j.common.security.ClusterSecret}.
 *
 * <p>This package contains secrets and proofs. It does not depend on connections or authorization.
 */
@NullMarked
package dev.kudu4j.common.security;

import org.jspecify.annotations.NullMarked;

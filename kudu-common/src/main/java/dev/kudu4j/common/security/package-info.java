/**
 * How servers of one cluster recognise each other. Start with {@link
 * dev.kudu4j.common.security.ClusterSecret}.
 *
 * <p>This package knows secrets and proofs. It does not know connections or who may do what.
 */
@NullMarked
package dev.kudu4j.common.security;

import org.jspecify.annotations.NullMarked;

/**
 * One cluster, as seen by a client: which master leads, where tablets are, and how a request
 * reaches the right replica despite leader changes, restarts and busy servers. Start with {@link
 * dev.kudu4j.client.cluster.Cluster}.
 *
 * <p>Failures are {@link dev.kudu4j.common.status.KuduException}. This package does not depend on
 * rows, sessions or scanners. Not part of the public API, which is {@code dev.kudu4j.client}.
 */
package dev.kudu4j.client.cluster;

/**
 * One cluster, as seen by a client: who the leading master is, where tablets are, and how a request
 * reaches the right replica in spite of leader changes, restarts and busy servers. Start with
 * {@link dev.kudu4j.client.cluster.Cluster}.
 *
 * <p>Failures are {@link dev.kudu4j.common.status.KuduException}. Nothing here knows rows, sessions
 * or scanners. Not for users of the client: {@code dev.kudu4j.client} is their door.
 */
package dev.kudu4j.client.cluster;

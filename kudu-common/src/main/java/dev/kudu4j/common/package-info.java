/**
 * Definitions that all parts of Kudu4j share, clients and servers alike.
 *
 * <p>Types and schemas ({@code schema}), packed row operations ({@code row}), order-preserving keys
 * ({@code key}), partitions ({@code partition}), predicates ({@code predicate}), hybrid time
 * ({@code time}), errors ({@code status}), conversion to and from wire messages ({@code wire}), and
 * the RPC protocol ({@code rpc}).
 *
 * <p>This module does not depend on storage, Raft, catalogs or Arrow.
 */
package dev.kudu4j.common;

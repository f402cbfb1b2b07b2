/**
 * One row: what every part of Kudu4j, on either side of the wire, must agree on.
 *
 * <p>Types and schemas ({@code schema}), packed row operations ({@code row}), order-preserving keys
 * ({@code key}), partitions ({@code partition}), predicates ({@code predicate}), hybrid time
 * ({@code time}), errors ({@code status}), the conversion to and from wire messages ({@code wire}),
 * and the RPC both ends speak ({@code rpc}).
 *
 * <p>This module knows nothing of storage, Raft or catalogs, and loads no Arrow class.
 */
package dev.kudu4j.common;

/**
 * Plans moves of replicas and transfers of leadership that distribute replicas and leaders evenly:
 * from the present distribution ({@link dev.kudu4j.master.rebalance.Balance}), {@link
 * dev.kudu4j.master.rebalance.MovePlanner} and {@link dev.kudu4j.master.rebalance.LeaderPlanner}
 * derive what to move. Pure functions, used by the master and by {@code kudu cluster rebalance}.
 *
 * <p>Start with docs/design/re-replication.md. This package does not depend on the catalog's
 * records or on RPC messages.
 */
package dev.kudu4j.master.rebalance;

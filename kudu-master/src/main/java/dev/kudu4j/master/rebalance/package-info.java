/**
 * Moves that make a cluster even: where replicas and leaders are, in ({@link
 * dev.kudu4j.master.rebalance.Balance}); what to move, out ({@link
 * dev.kudu4j.master.rebalance.MovePlanner}, {@link dev.kudu4j.master.rebalance.LeaderPlanner}).
 * Pure; used by the master and by {@code kudu cluster rebalance}.
 *
 * <p>Start with docs/design/re-replication.md. This package knows neither records nor messages.
 */
package dev.kudu4j.master.rebalance;

/**
 * Determines what has to be done to bring the tablet servers to the state in the catalog. Pure
 * functions: from the catalog's record of a table and the observed state of the cluster ({@link
 * dev.kudu4j.master.reconcile.ClusterView}) they derive a list of actions ({@link
 * dev.kudu4j.master.reconcile.Action}).
 *
 * <p>Start with {@link dev.kudu4j.master.reconcile.Reconciler}. This package calls no server and
 * keeps no state; {@code tables} executes the actions. The design, with a table of crashes, is in
 * docs/design/reconciler.md.
 */
@NullMarked
package dev.kudu4j.master.reconcile;

import org.jspecify.annotations.NullMarked;

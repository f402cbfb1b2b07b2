/**
 * What has to be done so that the tablet servers have what the catalog says. Pure: the catalog's
 * record of a table, what is observed of its tablets, the servers and the time go in ({@link
 * dev.kudu4j.master.reconcile.ClusterView}), a list of actions comes out ({@link
 * dev.kudu4j.master.reconcile.Action}).
 *
 * <p>Start with {@link dev.kudu4j.master.reconcile.Reconciler}. This package starts nothing, calls
 * nothing and keeps no state; {@code tables} carries the actions out. Design and table of crashes:
 * docs/design/reconciler.md.
 */
@NullMarked
package dev.kudu4j.master.reconcile;

import org.jspecify.annotations.NullMarked;

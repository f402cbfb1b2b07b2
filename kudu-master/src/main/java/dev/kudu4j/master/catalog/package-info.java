/**
 * The catalog: one record for the cluster, one for each table, one for each tablet, and one for
 * each tablet server to which an operator has given a state.
 *
 * <p>Start with {@link dev.kudu4j.master.catalog.Catalog}: lookups are answered from an immutable
 * snapshot of each table without a lock; a change is staged in a {@link
 * dev.kudu4j.master.catalog.CatalogEdit}, written to the {@link
 * dev.kudu4j.master.catalog.CatalogStore}, and only then visible to readers.
 *
 * <p>This package keeps the records consistent. It does not contain the rules for changing them,
 * and sends no requests to tablet servers.
 */
package dev.kudu4j.master.catalog;

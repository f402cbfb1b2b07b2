/**
 * The catalog: one record for the cluster, one for each table, one for each tablet.
 *
 * <p>Start with {@link dev.kudu4j.master.catalog.Catalog}: lookups are answered from an immutable
 * snapshot of each table without a lock; a change is staged in a {@link
 * dev.kudu4j.master.catalog.CatalogEdit}, written to the {@link
 * dev.kudu4j.master.catalog.CatalogStore}, and only then seen by anybody.
 *
 * <p>This package knows records and their consistency. It does not know why they change, nor tablet
 * servers.
 */
package dev.kudu4j.master.catalog;

/**
 * Lookups of rows by their primary keys. Start with {@link dev.kudu4j.client.lookup.KeyLookup}.
 *
 * <p>This package does not depend on the public API: a {@link dev.kudu4j.client.lookup.RowFactory}
 * creates the rows that users read.
 */
package dev.kudu4j.client.lookup;

/**
 * Rows by their primary keys. Start with {@link dev.kudu4j.client.lookup.KeyLookup}.
 *
 * <p>This package knows encoded keys and scans. It does not know the classes of users: a {@link
 * dev.kudu4j.client.lookup.RowFactory} makes what they read.
 */
package dev.kudu4j.client.lookup;

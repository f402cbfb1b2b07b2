/**
 * Rows on disk: {@link dev.kudu4j.tablet.rowset.DiskRowSetWriter} writes a rowset's base data in
 * one file (columns, insert timestamps, key index, Bloom filter, footer), {@link
 * dev.kudu4j.tablet.rowset.BaseData} reads it. A rowset is immutable once written; what changes
 * afterwards are its deltas. Bytes: docs/design/rowset.md.
 */
package dev.kudu4j.tablet.rowset;

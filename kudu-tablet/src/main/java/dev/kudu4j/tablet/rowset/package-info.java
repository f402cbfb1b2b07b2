/**
 * The base data of rowsets on disk. {@link dev.kudu4j.tablet.rowset.DiskRowSetWriter} writes the
 * base data of a rowset to one file: columns, insert timestamps, key index, Bloom filter, footer.
 * {@link dev.kudu4j.tablet.rowset.BaseData} reads it. The file is immutable; later changes are
 * deltas. The layout is in docs/design/rowset.md.
 */
@NullMarked
package dev.kudu4j.tablet.rowset;

import org.jspecify.annotations.NullMarked;

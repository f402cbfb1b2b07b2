/**
 * Index files: the cells of some columns of one rowset, sorted, with the ordinals of their rows.
 * {@link dev.kudu4j.tablet.index.OrdinalSort} sorts, {@link
 * dev.kudu4j.tablet.index.IndexFileWriter} writes, {@link dev.kudu4j.tablet.index.IndexFile} is
 * read. Which rowsets have index files, and how scans use them: docs/design/local-index.md.
 */
@NullMarked
package dev.kudu4j.tablet.index;

import org.jspecify.annotations.NullMarked;

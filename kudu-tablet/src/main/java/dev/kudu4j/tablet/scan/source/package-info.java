/**
 * The sources of a scan's rows. A {@link dev.kudu4j.tablet.scan.source.RowSource} returns the rows
 * of one component of the tablet, block by block, at the snapshot, filtered and projected: {@link
 * dev.kudu4j.tablet.scan.source.MemRowSetSource}, {@link
 * dev.kudu4j.tablet.scan.source.DiskRowSetSource}. Their common processing of a block is in {@link
 * dev.kudu4j.tablet.scan.source.BlockSource}; {@link dev.kudu4j.tablet.scan.source.ChangeOverlay}
 * holds the changes of a block's rows.
 *
 * <pre>
 *   block:  visibility and changes -> selection -> predicate tree -> surviving cells -> batch
 *   scan:   sources in sequence (SourceSequence), or merged by key (KeyOrderedMerge)
 * </pre>
 *
 * <p>A source is confined to one thread at a time and takes no lock: the components are pinned, and
 * concurrent writes have timestamps that the snapshot excludes.
 */
@NullMarked
package dev.kudu4j.tablet.scan.source;

import org.jspecify.annotations.NullMarked;

/**
 * Where a scan's rows come from. A {@link dev.kudu4j.tablet.scan.source.RowSource} yields the rows
 * of one part of the tablet, a block at a time, each already at the snapshot, filtered and
 * projected: {@link dev.kudu4j.tablet.scan.source.MemRowSetSource}, {@link
 * dev.kudu4j.tablet.scan.source.DiskRowSetSource}. What both do with a block is in {@link
 * dev.kudu4j.tablet.scan.source.BlockSource}; {@link dev.kudu4j.tablet.scan.source.ChangeOverlay}
 * holds the changes of a block's rows.
 *
 * <pre>
 *   block:  visibility and changes -> selection -> predicate tree -> surviving cells -> output batch
 *   scan:   sources one after another (SourceSequence), or merged by key (KeyOrderedMerge)
 * </pre>
 *
 * <p>All of it is confined to one thread at a time and takes no lock: the parts are pinned, and
 * what a writer adds meanwhile lies behind the snapshot.
 */
package dev.kudu4j.tablet.scan.source;

/**
 * Tablet copy: the data of a replica, from one tablet server to another. Both ends are here; the
 * story and its crash table are in docs/design/tablet-copy.md.
 *
 * <p>The source: {@link dev.kudu4j.tserver.copy.TabletCopyService} lends {@link
 * dev.kudu4j.tserver.copy.SourceSession pinned checkpoints}. The target: {@link
 * dev.kudu4j.tserver.copy.CopyTarget} lets a {@link dev.kudu4j.tserver.copy.TabletCopy} in, which
 * talks to the source through {@link dev.kudu4j.tserver.copy.CopySource} and keeps what it fetches
 * in a {@link dev.kudu4j.tserver.copy.CopyDirectory}.
 *
 * <p>This package knows files and positions. It does not know rows, and of Raft only that a group
 * can be joined.
 */
package dev.kudu4j.tserver.copy;

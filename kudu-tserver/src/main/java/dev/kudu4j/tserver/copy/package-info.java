/**
 * Tablet copy: transfers the data of a replica from one tablet server to another. The package
 * contains both ends; the protocol and its crash table are in docs/design/tablet-copy.md.
 *
 * <p>The source: {@link dev.kudu4j.tserver.copy.TabletCopyService} provides {@link
 * dev.kudu4j.tserver.copy.SourceSession pinned checkpoints}. The target: {@link
 * dev.kudu4j.tserver.copy.CopyTarget} starts a {@link dev.kudu4j.tserver.copy.TabletCopy}, which
 * calls the source through {@link dev.kudu4j.tserver.copy.CopySource} and stores what it fetches in
 * a {@link dev.kudu4j.tserver.copy.CopyDirectory}.
 *
 * <p>This package works with files and log positions, not with rows. It uses Raft only to let a
 * replica join a group.
 */
@NullMarked
package dev.kudu4j.tserver.copy;

import org.jspecify.annotations.NullMarked;

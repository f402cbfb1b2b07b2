/**
 * The page cache: verified, inflated bodies of blocks, off heap, shared by all tablets of a server.
 *
 * <p>{@link dev.kudu4j.tablet.cache.PageCache} decides what stays; a file registers and gets its
 * {@link dev.kudu4j.tablet.cache.FilePages}; readers hold {@link dev.kudu4j.tablet.cache.Page}s
 * pinned. Design and figures: docs/design/page-cache.md.
 *
 * <p>This package knows bytes and for how long. It does not read files, and does not know what is
 * in a page.
 */
package dev.kudu4j.tablet.cache;

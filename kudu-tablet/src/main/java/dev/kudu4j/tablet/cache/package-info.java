/**
 * The page cache: verified, decompressed bodies of blocks, off heap, shared by all tablets of a
 * server.
 *
 * <p>{@link dev.kudu4j.tablet.cache.PageCache} decides what stays. A file registers and gets its
 * {@link dev.kudu4j.tablet.cache.FilePages}. Readers pin {@link dev.kudu4j.tablet.cache.Page}s.
 * Design and figures: docs/design/page-cache.md.
 *
 * <p>This package knows bytes and their lifetime. It does not read files and does not know the
 * content of a page.
 */
package dev.kudu4j.tablet.cache;

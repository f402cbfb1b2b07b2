/**
 * The page cache: verified, decompressed bodies of blocks, off heap, shared by all tablets of a
 * server.
 *
 * <p>{@link dev.kudu4j.tablet.cache.PageCache} decides which pages to evict. A file is registered
 * when it is opened and gets its {@link dev.kudu4j.tablet.cache.FilePages}. Readers pin {@link
 * dev.kudu4j.tablet.cache.Page}s. Design and figures: docs/design/page-cache.md.
 *
 * <p>This package manages bytes and their lifetime. It does not read files and does not interpret
 * the content of a page.
 */
@NullMarked
package dev.kudu4j.tablet.cache;

import org.jspecify.annotations.NullMarked;

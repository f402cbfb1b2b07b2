/**
 * The frame of all data files: a header, blocks with checksums, a footer, a trailer.
 *
 * <p>A data file is written sequentially and sealed by its trailer. Start with {@link
 * dev.kudu4j.tablet.file.SealedFileWriter} and {@link dev.kudu4j.tablet.file.SealedFile}. The
 * layout is in docs/design/rowset.md.
 *
 * <p>This package handles blocks and checksums. It does not interpret the content of a block or a
 * footer.
 */
@NullMarked
package dev.kudu4j.tablet.file;

import org.jspecify.annotations.NullMarked;

/**
 * General-purpose compression of blocks: one class per codec, each with a number that the block
 * contains.
 *
 * <p>Start with {@link dev.kudu4j.tablet.codec.Codec}; {@link dev.kudu4j.tablet.codec.Codecs} lists
 * all codecs.
 *
 * <p>This package handles bytes in raw memory, not blocks, files, or compression settings.
 */
@NullMarked
package dev.kudu4j.tablet.codec;

import org.jspecify.annotations.NullMarked;

/**
 * General-purpose compression of blocks: one class per codec, each with a number that the block
 * contains.
 *
 * <p>Start with {@link dev.kudu4j.tablet.codec.Codec}; {@link dev.kudu4j.tablet.codec.Codecs} is
 * the closed set.
 *
 * <p>This package knows bytes in raw memory. It does not know blocks, files, or compression
 * settings.
 */
@NullMarked
package dev.kudu4j.tablet.codec;

import org.jspecify.annotations.NullMarked;

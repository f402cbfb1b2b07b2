/**
 * General compression of blocks: one class a codec, each with a number that stands in the block.
 *
 * <p>Start with {@link dev.kudu4j.tablet.codec.Codec}; {@link dev.kudu4j.tablet.codec.Codecs} is
 * the closed set.
 *
 * <p>This package knows bytes in raw memory. It does not know blocks, files, or who wants what
 * compressed.
 */
package dev.kudu4j.tablet.codec;

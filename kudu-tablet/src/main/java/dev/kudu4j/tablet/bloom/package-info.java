/**
 * Bloom filters of the keys of a rowset and of the values of a unique index: {@link
 * dev.kudu4j.tablet.bloom.BloomChunk} is the format of one, {@link
 * dev.kudu4j.tablet.bloom.BloomChunks} reads those of a file.
 */
@NullMarked
package dev.kudu4j.tablet.bloom;

import org.jspecify.annotations.NullMarked;

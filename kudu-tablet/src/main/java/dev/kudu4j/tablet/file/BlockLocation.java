package dev.kudu4j.tablet.file;

/**
 * The location of a block.
 *
 * @param offset the offset from the start of the file
 * @param bytes the length of the block, including header and checksum
 */
public record BlockLocation(long offset, int bytes) {}

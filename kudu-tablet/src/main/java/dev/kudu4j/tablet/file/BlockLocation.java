package dev.kudu4j.tablet.file;

/**
 * Where a block lies.
 *
 * @param offset from the start of the file
 * @param bytes its length, header and checksum included
 */
public record BlockLocation(long offset, int bytes) {}

package dev.kudu4j.client.parallel;

/**
 * How a scan is cut into pieces.
 *
 * @param bytes wanted data size of a piece; 0 or less for one piece per tablet
 * @param timeoutMillis for finding and cutting all tablets
 */
public record PieceSize(long bytes, long timeoutMillis) {}

package dev.kudu4j.client.parallel;

/**
 * How a scan is split into pieces.
 *
 * @param bytes target size of a piece's data; 0 or less for one piece per tablet
 * @param timeoutMillis timeout for finding and splitting all tablets
 */
public record PieceSize(long bytes, long timeoutMillis) {}

package dev.kudu4j.tablet.log;

/**
 * Identifies a logical write of a client, for exactly-once semantics. All attempts have the same
 * client id and sequence.
 *
 * @param clientId chosen by the client
 * @param sequence the number of the write
 * @param firstIncomplete the lowest sequence whose result the client still waits for; results of
 *     lower sequences may be forgotten
 */
public record RequestId(String clientId, long sequence, long firstIncomplete) {}

package dev.kudu4j.tablet.log;

/**
 * Names a logical write of a client, for exactly-once. All tries carry the same pair.
 *
 * @param clientId the client, as it names itself
 * @param sequence its number
 * @param firstIncomplete lowest number whose answer the client still waits for: answers below may
 *     be forgotten
 */
public record RequestId(String clientId, long sequence, long firstIncomplete) {}

package dev.kudu4j.tserver.tablets;

/**
 * How far this server, as the leader of a tablet, has claimed the values of its rows for a unique
 * index.
 *
 * @param term in which it leads
 * @param rows of the tablet
 * @param claimedRows of these
 * @param finished whether nothing is left to do
 * @param duplicates two rows with the same value, for people; empty if none were found
 */
public record ClaimProgress(
    int indexId, long term, long rows, long claimedRows, boolean finished, String duplicates) {}

package dev.kudu4j.server.replica;

/**
 * What a leader reports to the other members of its group, twice a second and on request, beside
 * Raft.
 *
 * @param term in which it leads
 * @param safeTime no operation below it will come behind the index; the leader led for certain when
 *     its clock showed this time
 * @param safeIndex log index up to which everything below the safe time is logged
 * @param releasable log index up to which no other member needs the log, or is given up; -1 if
 *     unknown
 */
public record LeaderStatus(long term, long safeTime, long safeIndex, long releasable) {}

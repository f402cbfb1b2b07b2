package dev.kudu4j.server.replica;

/**
 * The status that a leader reports to the other members of its group, outside Raft, twice a second
 * and on request.
 *
 * @param term term in which it leads
 * @param safeTime no operation below this time will be logged after {@code safeIndex}; the leader
 *     certainly led when its clock showed this time
 * @param safeIndex log index up to which everything below the safe time is logged
 * @param releasable log index up to which the log may be deleted: every other member has the log up
 *     to this index, or the leader no longer keeps the log for the members that lack it; -1 if
 *     unknown
 */
public record LeaderStatus(long term, long safeTime, long safeIndex, long releasable) {}

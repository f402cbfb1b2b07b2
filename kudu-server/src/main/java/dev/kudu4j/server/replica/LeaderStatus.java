package dev.kudu4j.server.replica;

/**
 * What a leader tells the other members of a tablet's group from time to time, beside Raft.
 *
 * @param term in which it leads
 * @param safeTime no operation below will come behind the index; it has been proved that the leader
 *     led when its clock showed this time
 * @param safeIndex log index by which everything below the safe time is applied
 * @param releasable nobody else needs the log up to this index, or is given up; -1 when that is not
 *     known
 */
public record LeaderStatus(long term, long safeTime, long safeIndex, long releasable) {}

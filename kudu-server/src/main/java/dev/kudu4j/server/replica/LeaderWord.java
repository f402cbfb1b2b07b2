package dev.kudu4j.server.replica;

/**
 * What a leader tells the other members of a tablet's group from time to time, beside Raft.
 *
 * @param term in which it leads
 * @param safeTime no operation below will come behind the index; it has been proved that the leader
 *     led when its clock showed this time
 * @param safeIndex log index by which everything below the safe time is applied
 * @param heldByAll every member has the log up to this index; -1 when that is not known
 */
public record LeaderWord(long term, long safeTime, long safeIndex, long heldByAll) {}

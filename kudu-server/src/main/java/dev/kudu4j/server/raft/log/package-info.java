/**
 * The files of a Raft log: where they are ({@link dev.kudu4j.server.raft.log.RaftLogs}), the vote
 * beside them ({@link dev.kudu4j.server.raft.log.LastVote}), the repair of a log that a killed
 * process left ({@link dev.kudu4j.server.raft.log.LogTailRepair}), and how long appends took.
 *
 * <p>This package knows directories and file formats. It does not know running groups.
 */
package dev.kudu4j.server.raft.log;

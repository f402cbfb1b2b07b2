/**
 * The files of a Raft log: where they are ({@link dev.kudu4j.server.raft.log.RaftLogs}), the vote
 * next to them ({@link dev.kudu4j.server.raft.log.LastVote}), the repair of a log that a killed
 * process left ({@link dev.kudu4j.server.raft.log.LogTailRepair}), and the latency of appends.
 *
 * <p>This package handles directories and file formats, not running groups.
 */
@NullMarked
package dev.kudu4j.server.raft.log;

import org.jspecify.annotations.NullMarked;

/**
 * The threads that all Raft groups of a process share.
 *
 * <p>Ratis gives each group a thread for its election timeout, one that applies entries, one that
 * writes the log, and one for the events of a leader. A server with a thousand replicas would have
 * three thousand threads, nearly all idle, and each would wake up about once a second. Here, these
 * jobs are {@link dev.kudu4j.server.raft.threads.SerialTask}s on one pool, and all timeouts are
 * entries of one timer wheel ({@link dev.kudu4j.server.raft.threads.RaftThreads}).
 *
 * <p>The classes that attach the groups to these threads are in {@code
 * org.apache.ratis.server.impl} and {@code org.apache.ratis.server.raftlog.segmented}, because they
 * extend classes that Ratis declares package-private. See docs/design/raft-threads.md.
 */
@NullMarked
package dev.kudu4j.server.raft.threads;

import org.jspecify.annotations.NullMarked;

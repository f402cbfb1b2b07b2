/**
 * Additions to the package of Ratis that holds the log: {@link
 * org.apache.ratis.server.raftlog.segmented.PooledLogWriter} executes the log's tasks, whose class
 * is package-private.
 */
package org.apache.ratis.server.raftlog.segmented;

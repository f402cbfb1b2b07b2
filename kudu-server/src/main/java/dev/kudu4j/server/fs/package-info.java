/**
 * The directories of one server: logs and data, the identity of the server, and the lock that
 * excludes a second process. Start with {@link dev.kudu4j.server.fs.ServerFiles}.
 *
 * <pre>
 *   &lt;wal_dir&gt;/instance            identity: uuid, daemon, Raft port
 *   &lt;wal_dir&gt;/clock               upper bound of the clock so far
 *   &lt;wal_dir&gt;/lock                held while a process uses the directories
 *   &lt;wal_dir&gt;/wals/&lt;group&gt;/       a tablet's Raft log
 *   &lt;data_dir&gt;/data/&lt;tablet id&gt;/  a tablet's superblock and data files
 * </pre>
 */
@NullMarked
package dev.kudu4j.server.fs;

import org.jspecify.annotations.NullMarked;

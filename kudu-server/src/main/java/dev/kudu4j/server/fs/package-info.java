/**
 * The directories of one server: where logs and data lie, who the server is, and the lock that
 * keeps a second process out. Start with {@link dev.kudu4j.server.fs.ServerFiles}.
 *
 * <pre>
 *   &lt;wal_dir&gt;/instance            identity: uuid, daemon, Raft port
 *   &lt;wal_dir&gt;/clock               how far the clock has got
 *   &lt;wal_dir&gt;/lock                held while a process runs here
 *   &lt;wal_dir&gt;/wals/&lt;group&gt;/       a tablet's Raft log
 *   &lt;data_dir&gt;/data/&lt;tablet id&gt;/  a tablet's superblock and data files
 * </pre>
 */
package dev.kudu4j.server.fs;

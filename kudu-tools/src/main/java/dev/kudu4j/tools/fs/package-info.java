/**
 * {@code kudu fs} and {@code kudu local_replica}: show the files or replicas of a server that is
 * not running, or of a copy of its directories. Start with {@link dev.kudu4j.tools.fs.FileVerbs}
 * and {@link dev.kudu4j.tools.fs.ReplicaVerbs}; {@link dev.kudu4j.tools.fs.ServerDirectories} finds
 * the directories.
 *
 * <p>Only {@code update_dirs} changes files. {@link dev.kudu4j.tablet.check} decides whether a file
 * is valid.
 */
package dev.kudu4j.tools.fs;

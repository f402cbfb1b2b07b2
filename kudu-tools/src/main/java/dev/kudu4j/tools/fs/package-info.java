/**
 * {@code kudu fs} and {@code kudu local_replica}: look at a server's files, or at its replicas,
 * while the server is down, or at copies of them. Start with {@link dev.kudu4j.tools.fs.FileVerbs}
 * and {@link dev.kudu4j.tools.fs.ReplicaVerbs}; what lies where is {@link
 * dev.kudu4j.tools.fs.ServerDirectories}.
 *
 * <p>Nothing here changes a file. What is right and what is wrong with a file is for {@link
 * dev.kudu4j.tablet.check} to say.
 */
package dev.kudu4j.tools.fs;

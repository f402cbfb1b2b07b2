/**
 * Attacks on a running cluster through its ports, and the checks afterwards.
 *
 * <p>{@code RawConnection}, {@code RawRpc}, {@code RawRaft} and {@code RawHttp} send arbitrary
 * bytes to any port. The {@code *Attacks} classes use them for attacks that once did harm. {@link
 * dev.kudu4j.itest.hostile.Fuzzer} sends mutations of one valid request per method ({@code Seeds}).
 * {@code HostileCluster} checks processes, memory, threads, descriptors, files, logs, replicas and
 * a normal client. Start with {@code HostileIT}; how to run it: docs/hostile.md.
 *
 * <p>The attacks use only sockets and messages. They do not use the client or the RPC library,
 * which would not let them send invalid bytes.
 */
package dev.kudu4j.itest.hostile;

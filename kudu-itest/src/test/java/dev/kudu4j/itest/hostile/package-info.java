/**
 * A stranger on the ports of a running cluster, and what must be true afterwards.
 *
 * <p>{@code RawConnection}, {@code RawRpc}, {@code RawRaft} and {@code RawHttp} send any bytes to
 * any port. The {@code *Attacks} classes do with them what once did harm. {@link
 * dev.kudu4j.itest.hostile.Fuzzer} sends mutations of one good request per method ({@code Seeds}).
 * {@code HostileCluster} judges: processes, memory, threads, descriptors, files, logs, replicas and
 * a well-behaved client. Start with {@code HostileIT}; how to run it: docs/hostile.md.
 *
 * <p>The attacks use sockets and messages only. They do not use the client or the RPC library,
 * which would not let them send what they send.
 */
package dev.kudu4j.itest.hostile;

/**
 * Writes: the operations of a session, from apply to response. Start with {@link
 * dev.kudu4j.client.write.WriteBuffer}.
 *
 * <p>A session passes in each operation as a {@link dev.kudu4j.client.write.PendingWrite} and
 * receives the events of its writes through a {@link dev.kudu4j.client.write.WriteListener}. All
 * sessions of a client share a {@link dev.kudu4j.client.write.WriteMemory}.
 *
 * <p>This package does not depend on the public API. docs/design/client-writes.md describes the
 * order of writes and the handling of failures.
 */
package dev.kudu4j.client.write;

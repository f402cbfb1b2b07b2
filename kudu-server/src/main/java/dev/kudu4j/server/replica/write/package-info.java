/**
 * The path of a write into the log.
 *
 * <pre>
 *   WriteSubmission --&gt; WriteSubmitter --&gt; WriteQueue --&gt; PendingEntry --&gt; Raft
 *                       retries find        admission,      one entry for all
 *                       their first try     memory bounds   that waited
 * </pre>
 *
 * <p>{@link dev.kudu4j.server.replica.write.WriteSubmitter} is the entry point of a write. {@link
 * dev.kudu4j.server.replica.write.WriteQueue} batches requests into entries and answers them when
 * their entry has been applied. {@link dev.kudu4j.server.replica.write.WriteAdmission} bounds the
 * writes in flight of all tablets of a server, and {@link
 * dev.kudu4j.server.replica.write.ApplyGate} admits entries to the apply step while there is memory
 * for their rows: docs/design/write-admission.md.
 *
 * <p>This package knows requests and log entries. It does not know members or how an entry is
 * applied. A term is only a number to it.
 */
package dev.kudu4j.server.replica.write;

/**
 * The way of a write into the log.
 *
 * <pre>
 *   WriteSubmission --&gt; WriteSubmitter --&gt; WriteQueue --&gt; PendingEntry --&gt; Raft
 *                       retries find        admission,      one entry for all
 *                       their first try     memory bounds   that waited
 * </pre>
 *
 * <p>{@link dev.kudu4j.server.replica.write.WriteSubmitter} is where a write comes in. {@link
 * dev.kudu4j.server.replica.write.WriteQueue} gathers requests into entries and answers them when
 * their entry has been applied. {@link dev.kudu4j.server.replica.write.WriteAdmission} bounds what
 * all tablets of a server have under way, and {@link dev.kudu4j.server.replica.write.ApplyGate}
 * lets entries be applied while there is memory for their rows: docs/design/write-admission.md.
 *
 * <p>This package knows requests and log entries. It does not know members, terms other than as
 * numbers, or how an entry is applied.
 */
package dev.kudu4j.server.replica.write;

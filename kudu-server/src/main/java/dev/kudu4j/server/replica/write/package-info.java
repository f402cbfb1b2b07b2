/**
 * The path of a write into the log.
 *
 * <pre>
 *   WriteSubmission --&gt; WriteSubmitter --&gt; WriteQueue --&gt; PendingEntry --&gt; Raft
 *                       retries join        admission,      one entry for all
 *                       the first attempt   memory bounds   waiting requests
 * </pre>
 *
 * <p>{@link dev.kudu4j.server.replica.write.WriteSubmitter} is the entry point of a write. {@link
 * dev.kudu4j.server.replica.write.WriteQueue} batches requests into entries and answers them when
 * their entry has been applied. {@link dev.kudu4j.server.replica.write.WriteAdmission} bounds the
 * writes in flight of all tablets of a server, and {@link
 * dev.kudu4j.server.replica.write.ApplyGate} admits entries to the apply step while there is memory
 * for their rows: docs/design/write-admission.md.
 *
 * <p>This package handles requests and log entries. It does not depend on members or on how an
 * entry is applied.
 */
@NullMarked
package dev.kudu4j.server.replica.write;

import org.jspecify.annotations.NullMarked;

/**
 * The open transactions of a tablet: their rows, which are staged until the transaction commits,
 * and the keys that they hold until it ends.
 *
 * <pre>
 *   {@link dev.kudu4j.tablet.transaction.OpenTransactions}
 *     {@link dev.kudu4j.tablet.transaction.OpenTransaction}   rows in staging order, keys in an arena
 *       {@link dev.kudu4j.tablet.transaction.StagedRows}      one request: in memory, or in a file
 *     {@link dev.kudu4j.tablet.transaction.HeldKeys}          key to transaction
 *     {@link dev.kudu4j.tablet.transaction.StagedFile}        written by checkpoints
 * </pre>
 *
 * <p>docs/design/transactions.md has the rules and the crash table.
 */
@NullMarked
package dev.kudu4j.tablet.transaction;

import org.jspecify.annotations.NullMarked;

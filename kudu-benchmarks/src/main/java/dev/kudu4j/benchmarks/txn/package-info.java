/**
 * Transactions: commits a second over several tablets, and how long writers without a transaction
 * wait beside them. Start with {@link dev.kudu4j.benchmarks.txn.TransactionsCommand}.
 */
package dev.kudu4j.benchmarks.txn;

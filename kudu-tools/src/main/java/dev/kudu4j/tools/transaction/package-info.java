/**
 * The verbs {@code kudu txn}: list, show and abort transactions. They read the table of all
 * transactions like any other table, see {@link dev.kudu4j.tools.transaction.StoredTransactions},
 * so they work on Apache Kudu's servers too.
 */
package dev.kudu4j.tools.transaction;

/**
 * The masters' part in transactions: {@link dev.kudu4j.master.transactions.TransactionManager}
 * receives the calls of clients and passes them on to the coordinators, the leaders of the tablets
 * of the table of transactions. It has no state: every master serves, whether it leads or not. The
 * leading master also {@linkplain dev.kudu4j.master.transactions.StatusTableKeeper creates the
 * table} and adds tablets to it.
 */
@NullMarked
package dev.kudu4j.master.transactions;

import org.jspecify.annotations.NullMarked;

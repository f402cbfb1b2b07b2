/**
 * Transactions over several tablets. Each tablet of {@link
 * dev.kudu4j.common.transaction.StatusTable} that this server leads has a {@link
 * dev.kudu4j.tserver.transaction.Coordinator}, which keeps the states of its transactions as rows
 * and carries out commits and aborts in the tablets that have their rows, the participants. {@link
 * dev.kudu4j.tserver.transaction.Registrations} make a tablet a participant before it takes the
 * first rows of a transaction.
 *
 * <p>docs/design/transactions.md has the protocol and the crash table.
 */
@NullMarked
package dev.kudu4j.tserver.transaction;

import org.jspecify.annotations.NullMarked;

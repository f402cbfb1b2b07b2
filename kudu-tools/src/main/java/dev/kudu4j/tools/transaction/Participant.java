package dev.kudu4j.tools.transaction;

import java.util.Optional;

/**
 * A tablet with rows of a transaction.
 *
 * @param table empty if the table has been dropped
 * @param leader address of the tablet's leader; empty if the master knows none
 */
record Participant(String tablet, Optional<String> table, Optional<String> leader) {}

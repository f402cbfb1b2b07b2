/** The table in which the states of transactions are stored. */
@NullMarked
package dev.kudu4j.common.transaction;

import org.jspecify.annotations.NullMarked;

/**
 * The flights from New York in 2013: the table, the rows from a plain pass over the CSV, and the
 * filters.
 */
package dev.kudu4j.itest.flights;

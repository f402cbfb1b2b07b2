/**
 * The flights of New York in 2013: the table, the rows as a plain pass over the CSV gives them, and
 * the questions.
 */
package dev.kudu4j.itest.flights;

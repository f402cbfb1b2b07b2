/**
 * The first rows of a table in an order by any columns. Servers send the first rows of their
 * tablets, or all rows if they cannot sort; {@link dev.kudu4j.client.top.TopTable} keeps the first
 * of all.
 */
package dev.kudu4j.client.top;

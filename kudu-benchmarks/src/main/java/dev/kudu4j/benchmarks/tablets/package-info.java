/**
 * The cost of many tablets: the time to create them, threads, memory and processor time of servers
 * that nobody uses, and the restart of a server. Start with {@link
 * dev.kudu4j.benchmarks.tablets.TabletsCommand}.
 */
package dev.kudu4j.benchmarks.tablets;

/**
 * The web pages and metrics of a small cluster under reads and writes: {@link
 * dev.kudu4j.itest.pages.BusyCluster} is the cluster, {@link dev.kudu4j.itest.pages.Site} follows
 * its links, {@link dev.kudu4j.itest.pages.Browser} renders them as for a person.
 */
package dev.kudu4j.itest.pages;

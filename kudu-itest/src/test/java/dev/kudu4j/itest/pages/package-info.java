/**
 * The web pages and metrics of a small cluster that is written to and read from: {@link
 * dev.kudu4j.itest.pages.BusyCluster} is the cluster, {@link dev.kudu4j.itest.pages.Site} follows
 * its links, {@link dev.kudu4j.itest.pages.Browser} looks at it as a person would.
 */
package dev.kudu4j.itest.pages;

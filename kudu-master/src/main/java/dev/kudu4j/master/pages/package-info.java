/**
 * The web pages of a master: tables with their tablets and replicas, tablet servers, and masters,
 * with links to the servers' own pages. {@link dev.kudu4j.master.pages.MasterPages} has all of
 * them; {@link dev.kudu4j.master.pages.MasterMetrics} has the metrics of the same objects.
 *
 * <p>No page changes the state of the master.
 */
package dev.kudu4j.master.pages;

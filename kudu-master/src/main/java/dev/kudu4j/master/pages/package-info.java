/**
 * What an operator sees of a cluster at its master: tables, each of them with its tablets and their
 * replicas, and tablet servers, with ways to the pages of these. {@link
 * dev.kudu4j.master.pages.MasterPages} has all of them, {@link
 * dev.kudu4j.master.pages.MasterMetrics} the same as metrics.
 *
 * <p>Nothing here changes anything.
 */
package dev.kudu4j.master.pages;

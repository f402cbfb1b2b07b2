/**
 * The tablets of a server. {@link dev.kudu4j.tserver.tablets.HostedTablet} is one tablet, {@link
 * dev.kudu4j.tserver.tablets.HostedState} its life cycle. Start with {@link
 * dev.kudu4j.tserver.tablets.TabletRegistry}, which opens, creates, finds and deletes tablets.
 */
package dev.kudu4j.tserver.tablets;

/**
 * The tablets of a server. {@link dev.kudu4j.tserver.tablets.HostedTablet} is one tablet, {@link
 * dev.kudu4j.tserver.tablets.HostedState} its life cycle. {@link
 * dev.kudu4j.tserver.tablets.TabletRegistry} opens, creates, finds and deletes them. Start there.
 */
package dev.kudu4j.tserver.tablets;

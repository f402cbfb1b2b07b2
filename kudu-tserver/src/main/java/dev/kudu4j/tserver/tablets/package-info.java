/**
 * The tablets of a server. {@link dev.kudu4j.tserver.tablets.HostedTablet} is one tablet, {@link
 * dev.kudu4j.tserver.tablets.HostedState} its life cycle. Start with {@link
 * dev.kudu4j.tserver.tablets.TabletRegistry}, which opens, creates, finds and deletes tablets.
 */
@NullMarked
package dev.kudu4j.tserver.tablets;

import org.jspecify.annotations.NullMarked;

/**
 * The tablets of a server: {@link dev.kudu4j.tserver.tablets.HostedTablet} is one of them, {@link
 * dev.kudu4j.tserver.tablets.TabletRegistry} creates, opens, finds and deletes them, and {@link
 * dev.kudu4j.tserver.tablets.Flusher} makes them durable in time.
 */
package dev.kudu4j.tserver.tablets;

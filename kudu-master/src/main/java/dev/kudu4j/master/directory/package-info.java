/**
 * The locations of tablets, served from memory.
 *
 * <p>Members of a tablet's Raft group are recorded in the catalog; its leader and its size change
 * too often to be recorded. They are in {@link dev.kudu4j.master.observed.ObservedTablets}, as
 * reported by the tablet servers. {@link dev.kudu4j.master.directory.TabletDirectory} combines both
 * for clients.
 */
package dev.kudu4j.master.directory;

/**
 * Where tablets live, answered from memory.
 *
 * <p>Members of a tablet's Raft group are recorded in the catalog; its leader and its size change
 * too often for that and are in {@link dev.kudu4j.master.observed.ObservedTablets}, filled by
 * reports. {@link dev.kudu4j.master.directory.TabletDirectory} joins the two for clients.
 */
package dev.kudu4j.master.directory;

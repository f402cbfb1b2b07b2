/**
 * Where tablets live, answered from memory.
 *
 * <p>Members of a tablet's Raft group are recorded in the catalog; who leads it, and how much it
 * holds, changes too often for that and is in {@link dev.kudu4j.master.observed.ObservedTablets},
 * filled by reports. {@link dev.kudu4j.master.directory.TabletDirectory} joins the two for clients.
 */
package dev.kudu4j.master.directory;

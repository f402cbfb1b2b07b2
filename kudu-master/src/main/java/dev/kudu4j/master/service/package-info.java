/**
 * The master's RPC methods. Start with {@link dev.kudu4j.master.service.MasterService}, which binds
 * them to their names; what they do is in the classes named after what they are about, as plain
 * functions from request to answer that throw.
 *
 * <p>{@link dev.kudu4j.master.service.MasterLeadership} says whether this master may answer for the
 * catalog, and hands out the {@link dev.kudu4j.master.service.LeaderSession} if so.
 */
package dev.kudu4j.master.service;

/**
 * The master's RPC methods. Start with {@link dev.kudu4j.master.service.MasterService}, which binds
 * them to their names; the classes {@code ...Methods} implement them as plain functions from
 * request to response, which throw on failure.
 *
 * <p>{@link dev.kudu4j.master.service.MasterLeadership} has the role of this master and, while it
 * leads, its {@link dev.kudu4j.master.service.LeaderSession}.
 */
package dev.kudu4j.master.service;

/**
 * The master: records the tables, their tablets and the servers with their replicas, and makes the
 * tablet servers create, change and delete replicas accordingly.
 *
 * <pre>
 *   service     the RPC methods
 *   tables      create, alter, delete, and the tasks that carry them out on the tablet servers
 *   directory   the locations of tablets, served from memory
 *   heartbeat   the registered tablet servers, and their reports
 *   placement   which servers get a new tablet
 *   catalog     the records of tables and tablets, cached in memory, stored in a replicated tablet
 * </pre>
 *
 * <p>All state of a leading master belongs to one {@link dev.kudu4j.master.service.LeaderSession}.
 * The session is created when the catalog has been loaded and discarded when leadership is lost, so
 * no state of an older term can leak into a newer one.
 */
package dev.kudu4j.master;

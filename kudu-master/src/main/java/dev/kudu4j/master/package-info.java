/**
 * The master: what tables there are, which tablets they have, where those live, and the work that
 * makes the tablet servers agree with it.
 *
 * <pre>
 *   service     the RPC methods: requests in, answers out
 *   tables      create, alter, delete, and the tasks that carry them out on the tablet servers
 *   directory   where tablets live, from memory
 *   heartbeat   the tablet servers that are known, and what they report
 *   placement   which servers get a new tablet
 *   catalog     the records, the cache in front of them, the replicated tablet behind them
 * </pre>
 *
 * <p>Everything that a leader knows hangs on one {@link dev.kudu4j.master.service.LeaderSession}:
 * it is made when the catalog has been loaded and discarded when leadership is lost, so nothing of
 * an older term can leak into a newer one.
 */
package dev.kudu4j.master;

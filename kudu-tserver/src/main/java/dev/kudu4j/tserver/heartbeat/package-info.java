/**
 * The news of this server to every master: {@link dev.kudu4j.tserver.heartbeat.TabletReports} knows
 * what has changed and what has been acknowledged, {@link
 * dev.kudu4j.tserver.heartbeat.ReplicaReport} describes one replica, {@link
 * dev.kudu4j.tserver.heartbeat.MasterHeartbeats} tells the masters.
 */
package dev.kudu4j.tserver.heartbeat;

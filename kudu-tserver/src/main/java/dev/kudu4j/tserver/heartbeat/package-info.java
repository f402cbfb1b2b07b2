/**
 * Heartbeats and tablet reports to the masters: {@link dev.kudu4j.tserver.heartbeat.TabletReports}
 * tracks what has changed and what has been acknowledged, {@link
 * dev.kudu4j.tserver.heartbeat.ReplicaReport} describes one replica, {@link
 * dev.kudu4j.tserver.heartbeat.MasterHeartbeats} sends the heartbeats with the reports.
 */
@NullMarked
package dev.kudu4j.tserver.heartbeat;

import org.jspecify.annotations.NullMarked;

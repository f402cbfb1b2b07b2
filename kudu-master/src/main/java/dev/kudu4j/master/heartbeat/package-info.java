/**
 * The registered tablet servers, and their reports.
 *
 * <p>{@link dev.kudu4j.master.heartbeat.ServerRegistry} exists as long as the process: servers
 * register with every master, leader or not. {@link dev.kudu4j.master.heartbeat.ReportReader}
 * exists as long as one leader session: only a leader reads reports, and a new leader asks every
 * server for a full report.
 */
package dev.kudu4j.master.heartbeat;

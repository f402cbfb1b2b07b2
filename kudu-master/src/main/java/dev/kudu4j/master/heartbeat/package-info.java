/**
 * The tablet servers that are known, and what they report.
 *
 * <p>{@link dev.kudu4j.master.heartbeat.ServerRegistry} lives as long as the process: servers
 * register with every master, leader or not. {@link dev.kudu4j.master.heartbeat.ReportReader} lives
 * as long as one leader session: only a leader reads reports, and a new leader asks every server
 * for a full report.
 */
package dev.kudu4j.master.heartbeat;

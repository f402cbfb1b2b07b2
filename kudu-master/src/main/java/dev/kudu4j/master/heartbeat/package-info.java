/**
 * The tablet servers that are known, and what they report.
 *
 * <p>{@link dev.kudu4j.master.heartbeat.ServerRegistry} lives as long as the process: servers
 * register with every master, leader or not. {@link dev.kudu4j.master.heartbeat.ReportReader} lives
 * as long as one session: only a leader believes reports, and a new leader asks every server for a
 * full one.
 */
package dev.kudu4j.master.heartbeat;

/**
 * What is changed inside Ratis. Ratis gives each group threads, buffers and timers of its own,
 * syncs its log more often than asked, and gives a log up when a file cannot be opened; it has no
 * settings for any of this. {@link dev.kudu4j.server.raft.tuning.RatisTuning} is the door: it
 * replaces private fields of a group that has just been started.
 *
 * <p>Each change stands for itself. If a version of Ratis does not have a field, the log says so
 * and the group works as Ratis made it. Tests fail then, so an upgrade is noticed.
 */
package dev.kudu4j.server.raft.tuning;

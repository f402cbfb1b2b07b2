/**
 * Changes to Ratis internals. Ratis gives each group separate threads, buffers and timers, syncs
 * logs more often than required, and abandons a log when a file cannot be opened; it has no
 * settings for any of this. {@link dev.kudu4j.server.raft.tuning.RatisTuning} is the entry point:
 * it replaces private fields of a group that has just been started.
 *
 * <p>The changes are independent. If a version of Ratis lacks a field, the server logs a warning
 * and the group keeps Ratis' behavior. In that case tests fail, so an incompatible upgrade is
 * noticed.
 */
@NullMarked
package dev.kudu4j.server.raft.tuning;

import org.jspecify.annotations.NullMarked;

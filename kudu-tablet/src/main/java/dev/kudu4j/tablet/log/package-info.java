/**
 * The replicated log entry: what Raft orders, what a tablet applies, and what a restart replays.
 * Bytes: docs/design/log-entry.md.
 */
package dev.kudu4j.tablet.log;

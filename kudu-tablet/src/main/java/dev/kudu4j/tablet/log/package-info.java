/**
 * The replicated log entry: Raft orders it, a tablet applies it, a restart replays it. Bytes:
 * docs/design/log-entry.md.
 */
package dev.kudu4j.tablet.log;

/**
 * The replicated log entry: Raft orders it, a tablet applies it, a restart replays it. Bytes:
 * docs/design/log-entry.md.
 */
@NullMarked
package dev.kudu4j.tablet.log;

import org.jspecify.annotations.NullMarked;

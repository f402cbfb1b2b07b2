/**
 * The entries of the replicated log. Raft orders the entries, a tablet applies them, and a
 * restarted server replays them. The layout is in docs/design/log-entry.md.
 */
@NullMarked
package dev.kudu4j.tablet.log;

import org.jspecify.annotations.NullMarked;

/**
 * The state of each tablet in a leader session that is not in the catalog: what the servers
 * reported, and what this leader has requested of them.
 *
 * <p>Start with {@link dev.kudu4j.master.observed.ObservedTablets}. It is not stored. A leader
 * session begins with an empty registry and fills it from the full reports of the tablet servers.
 */
@NullMarked
package dev.kudu4j.master.observed;

import org.jspecify.annotations.NullMarked;

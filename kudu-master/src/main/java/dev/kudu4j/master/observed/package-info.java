/**
 * What a leader knows of each tablet beyond the catalog: what the servers reported, and what this
 * leader has asked for.
 *
 * <p>Start with {@link dev.kudu4j.master.observed.ObservedTablets}. Nothing of it is stored. A
 * leader session begins with none of it and learns it from the full reports of the tablet servers.
 */
@NullMarked
package dev.kudu4j.master.observed;

import org.jspecify.annotations.NullMarked;

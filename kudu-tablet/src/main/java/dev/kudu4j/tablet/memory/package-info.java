/**
 * Off-heap memory of the engine: named allocators, and arenas that grow by chunks and are released
 * as a whole.
 */
@NullMarked
package dev.kudu4j.tablet.memory;

import org.jspecify.annotations.NullMarked;

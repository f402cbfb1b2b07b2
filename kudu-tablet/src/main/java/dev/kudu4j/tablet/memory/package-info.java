/**
 * Off-heap memory of the engine: named allocators, arenas that grow by chunks and are released as a
 * whole, and a hash table.
 */
@NullMarked
package dev.kudu4j.tablet.memory;

import org.jspecify.annotations.NullMarked;

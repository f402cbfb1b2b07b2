/**
 * Off-heap memory of the engine: named allocators, and arenas that grow by chunks and are released
 * as a whole.
 */
package dev.kudu4j.tablet.memory;

/**
 * Off-heap memory of the engine: allocators by name, and arenas that grow by chunks and are
 * released as a whole.
 */
package dev.kudu4j.tablet.memory;

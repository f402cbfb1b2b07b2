/**
 * The memory of one process: what it may use in all, how that is divided, and who uses how much.
 * Start with {@link dev.kudu4j.server.memory.ServerMemory}.
 */
package dev.kudu4j.server.memory;

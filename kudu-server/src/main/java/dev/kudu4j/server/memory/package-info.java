/**
 * The memory of one process: its limit, how it is divided, and what uses how much. Start with
 * {@link dev.kudu4j.server.memory.ServerMemory}.
 */
package dev.kudu4j.server.memory;

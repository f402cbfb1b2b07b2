/**
 * The memory of one process: its limit, its division, and its usage. Start with {@link
 * dev.kudu4j.server.memory.ServerMemory}.
 */
package dev.kudu4j.server.memory;

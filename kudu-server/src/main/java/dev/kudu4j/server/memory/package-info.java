/**
 * The memory of one server: its limit, its division into pools, and its usage. Start with {@link
 * dev.kudu4j.server.memory.ServerMemory}.
 */
package dev.kudu4j.server.memory;

/**
 * The memory of one process: its limit, its division, and its usage. Start with {@link
 * dev.kudu4j.server.memory.ServerMemory}.
 */
@NullMarked
package dev.kudu4j.server.memory;

import org.jspecify.annotations.NullMarked;

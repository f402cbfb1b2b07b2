/**
 * The memory of one server: its limit, its division into pools, and its usage. Start with {@link
 * dev.kudu4j.server.memory.ServerMemory}.
 */
@NullMarked
package dev.kudu4j.server.memory;

import org.jspecify.annotations.NullMarked;

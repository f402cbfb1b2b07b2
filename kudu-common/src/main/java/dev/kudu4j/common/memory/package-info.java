/**
 * The one door to raw memory. Everything that reads or writes off-heap bytes by address goes
 * through {@link dev.kudu4j.common.memory.Memory}, so that the technique behind it can change in
 * one place.
 */
@NullMarked
package dev.kudu4j.common.memory;

import org.jspecify.annotations.NullMarked;

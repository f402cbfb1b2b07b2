/**
 * The only access to raw memory. All code that reads or writes off-heap bytes by address uses
 * {@link dev.kudu4j.common.memory.Memory}, so its implementation can change in one place.
 */
@NullMarked
package dev.kudu4j.common.memory;

import org.jspecify.annotations.NullMarked;

/** Hybrid time: physical microseconds with a logical counter, and the clock that returns it. */
@NullMarked
package dev.kudu4j.common.time;

import org.jspecify.annotations.NullMarked;

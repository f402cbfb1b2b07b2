/**
 * Hybrid time: physical microseconds with a logical counter behind, and the clock that hands it
 * out.
 */
@NullMarked
package dev.kudu4j.common.time;

import org.jspecify.annotations.NullMarked;

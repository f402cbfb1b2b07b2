/**
 * Hybrid time: physical microseconds with a logical counter behind, and the clock that hands it
 * out.
 */
package dev.kudu4j.common.time;

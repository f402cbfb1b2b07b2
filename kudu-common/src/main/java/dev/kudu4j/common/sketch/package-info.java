/**
 * Summaries of many values in a few kilobytes that can be merged: {@link
 * dev.kudu4j.common.sketch.DistinctSketch}. Servers and clients build the same ones.
 */
@NullMarked
package dev.kudu4j.common.sketch;

import org.jspecify.annotations.NullMarked;

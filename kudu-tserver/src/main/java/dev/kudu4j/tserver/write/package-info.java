/**
 * The Write call: it finds the tablet, matches the schema, checks every row before anything is
 * logged, submits the write, and answers. Errors that depend on the clock, the partition or the
 * client's schema are detected here, and the write is rejected. Errors that depend on existing rows
 * are detected when the entry is applied.
 */
@NullMarked
package dev.kudu4j.tserver.write;

import org.jspecify.annotations.NullMarked;

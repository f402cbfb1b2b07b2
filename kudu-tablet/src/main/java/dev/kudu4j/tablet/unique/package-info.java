/**
 * Unique indexes: whether a live row has a value, for the writer, which asks before it inserts or
 * changes a row ({@link dev.kudu4j.tablet.unique.UniqueIndex}); and the search for equal rows among
 * those that exist ({@link dev.kudu4j.tablet.unique.DuplicateSearch}).
 *
 * <p>The writer's answer is the same on every replica and at every replay, because it is about
 * rows, and not about the files and tables that make it fast.
 */
@NullMarked
package dev.kudu4j.tablet.unique;

import org.jspecify.annotations.NullMarked;

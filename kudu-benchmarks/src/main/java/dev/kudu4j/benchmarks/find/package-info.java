/**
 * The search for files that were modified lately: by an index of a table of files, by a scan of the
 * table, and by {@code find} in a tree of files. Start with {@link
 * dev.kudu4j.benchmarks.find.FindCommand}.
 */
package dev.kudu4j.benchmarks.find;

/**
 * The grammar of the command line: conditions ({@link dev.kudu4j.tools.phrase.WhereClause}),
 * columns ({@link dev.kudu4j.tools.phrase.ColumnPhrase}) and ranges ({@link
 * dev.kudu4j.tools.phrase.RangePhrase}), split into {@link dev.kudu4j.tools.phrase.Words}. An error
 * contains its position and what was expected there.
 */
package dev.kudu4j.tools.phrase;

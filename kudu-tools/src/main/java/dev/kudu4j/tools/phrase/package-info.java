/**
 * The grammar of the command line: conditions ({@link dev.kudu4j.tools.phrase.WhereClause}),
 * columns ({@link dev.kudu4j.tools.phrase.ColumnPhrase}) and ranges ({@link
 * dev.kudu4j.tools.phrase.RangePhrase}), split into {@link dev.kudu4j.tools.phrase.Words}. An error
 * message contains the position and the expected text.
 */
package dev.kudu4j.tools.phrase;

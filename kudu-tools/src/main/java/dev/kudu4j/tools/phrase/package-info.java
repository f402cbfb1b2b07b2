/**
 * The small language of the command line: conditions ({@link dev.kudu4j.tools.phrase.WhereClause}),
 * columns ({@link dev.kudu4j.tools.phrase.ColumnPhrase}) and ranges ({@link
 * dev.kudu4j.tools.phrase.RangePhrase}), cut into {@link dev.kudu4j.tools.phrase.Words}. Each error
 * says where the phrase stopped making sense, and what would have.
 */
package dev.kudu4j.tools.phrase;

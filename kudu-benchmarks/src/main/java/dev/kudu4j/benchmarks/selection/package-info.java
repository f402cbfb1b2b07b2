/**
 * Queries that select rows of a table by ranges of its columns, with and without indexes.
 *
 * <pre>
 *   GeneratedTable -- LoadedSides -- OurSelections              ~~ RPC ~~  Kudu4j, one plan after the other
 *   SelectionQuery                   TableSelections (published) ~~ RPC ~~  Apache Kudu
 *        |                 |
 *        +---------- SelectionRun -> Measurements -> SelectionReport -> Report
 * </pre>
 *
 * <p>A {@link dev.kudu4j.benchmarks.selection.Plan} says which indexes may be used. All plans of
 * Kudu4j read the same table, so that they differ in nothing else. Every answer is compared with
 * that of the other plans. The part that both clients share is in {@code src/exchange}.
 */
package dev.kudu4j.benchmarks.selection;

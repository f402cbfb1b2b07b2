/**
 * Computations of a query on the columns of a row: arithmetic, conditions and aggregates.
 *
 * <p>{@link dev.kudu4j.common.expression.Expression} is arithmetic on numeric columns, {@link
 * dev.kudu4j.common.expression.Condition} a filter in SQL's three-valued logic, and {@link
 * dev.kudu4j.common.expression.Aggregation} a grouping with its aggregate functions. Clients build
 * them, {@code ExpressionWire} in {@code common.wire} sends them, and tablets compile them. {@link
 * dev.kudu4j.common.expression.RowEvaluator} evaluates them row by row, for clients of servers that
 * cannot.
 */
@NullMarked
package dev.kudu4j.common.expression;

import org.jspecify.annotations.NullMarked;

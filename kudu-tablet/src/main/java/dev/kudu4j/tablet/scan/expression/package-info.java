/**
 * Arithmetic on the numbers of a block, a thousand rows at a time.
 *
 * <p>An {@link dev.kudu4j.tablet.scan.expression.ExpressionCompiler} turns {@link
 * dev.kudu4j.common.expression.Expression}s into {@link
 * dev.kudu4j.tablet.scan.expression.NumberNode}s. A node computes its numbers for one {@link
 * dev.kudu4j.tablet.scan.expression.RowChunk}, once for all its readers. Integers and decimals are
 * exact, and an overflow is an error; everything else is a double.
 */
@NullMarked
package dev.kudu4j.tablet.scan.expression;

import org.jspecify.annotations.NullMarked;

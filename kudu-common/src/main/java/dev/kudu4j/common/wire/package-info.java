/**
 * Between our values and the wire's messages, one class for each kind: {@code SchemaWire}, {@code
 * PartitionWire}, {@code PredicateWire}, {@code RowOperationsWire}, {@code StatusWire}.
 *
 * <p>Here, too, is what only a message can get wrong: {@link dev.kudu4j.common.wire.SchemaRules}
 * says what a new table may look like. Which error code of the wire a failure becomes is told by
 * {@link dev.kudu4j.common.schema.SchemaException}.
 */
@NullMarked
package dev.kudu4j.common.wire;

import org.jspecify.annotations.NullMarked;

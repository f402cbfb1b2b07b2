/**
 * Conversion between values of this module and wire messages, one class for each kind: {@code
 * SchemaWire}, {@code PartitionWire}, {@code PredicateWire}, {@code RowOperationsWire}, {@code
 * StatusWire}.
 *
 * <p>This package also contains the validations that apply only to messages: {@link
 * dev.kudu4j.common.wire.SchemaRules} defines the valid schemas of a new table. {@link
 * dev.kudu4j.common.schema.SchemaException} determines the error code on the wire.
 */
@NullMarked
package dev.kudu4j.common.wire;

import org.jspecify.annotations.NullMarked;

/**
 * Packed row operations in the format of the wire. {@link
 * dev.kudu4j.common.row.RowOperationsReader} reads them without an object per row or cell, {@link
 * dev.kudu4j.common.row.RowOperationsWriter} packs them.
 */
@NullMarked
package dev.kudu4j.common.row;

import org.jspecify.annotations.NullMarked;

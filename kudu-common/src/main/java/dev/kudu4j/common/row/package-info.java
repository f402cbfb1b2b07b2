/**
 * Packed row operations, as clients send them: {@link dev.kudu4j.common.row.RowOperationsReader}
 * walks them without an object per row or cell, {@link dev.kudu4j.common.row.RowOperationsWriter}
 * packs them.
 */
@NullMarked
package dev.kudu4j.common.row;

import org.jspecify.annotations.NullMarked;

/**
 * The schema of a table's rows: {@link dev.kudu4j.common.schema.DataType types}, {@link
 * dev.kudu4j.common.schema.ColumnSchema columns} and the {@link dev.kudu4j.common.schema.Schema},
 * which orders the columns with the key columns first.
 *
 * <p>All values are immutable. Servers identify a column by its id, users by its name; ids are
 * never reused.
 */
@NullMarked
package dev.kudu4j.common.schema;

import org.jspecify.annotations.NullMarked;

/**
 * What a table's rows look like: {@link dev.kudu4j.common.schema.DataType types}, {@link
 * dev.kudu4j.common.schema.ColumnSchema columns} and the {@link dev.kudu4j.common.schema.Schema}
 * that orders them, key columns first.
 *
 * <p>Immutable values. A column is named by its id inside the system and by its name towards users;
 * ids are never reused.
 */
@NullMarked
package dev.kudu4j.common.schema;

import org.jspecify.annotations.NullMarked;

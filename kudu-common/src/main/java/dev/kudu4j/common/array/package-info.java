/**
 * Cells of array columns: a number of elements, each with a value or NULL. Start with {@link
 * dev.kudu4j.common.array.ArrayCellWriter} and {@link dev.kudu4j.common.array.ArrayCellReader}.
 *
 * <p>A cell is one FlatBuffer, as in Apache Kudu. All numbers are little-endian, and each offset
 * counts from its own position.
 *
 * <pre>
 *   root offset -&gt; content table
 *                    field 0, one byte:   kind of the elements ({@link ArrayCells})
 *                    field 1, an offset:  elements table
 *                                           field 0, an offset: vector of the elements
 *                    field 2, an offset:  vector of the validity bits; absent or empty if no
 *                                         element is NULL
 *
 *   vector        number of elements in 4 bytes, then the elements
 *   element       its value; for text and binary the offset of it
 *   text          length in 4 bytes, UTF-8, a zero byte
 *   binary        a table whose field 0 is the offset of a vector of bytes
 *   validity      bit i of byte i / 8 is set if element i is not NULL
 *   table         distance back to its field directory, then its fields
 *   directory     its size, the size of the table, and the position of each field in the table, or 0
 *                 if the field is absent; each in 2 bytes
 * </pre>
 *
 * <p>A boolean element takes one byte. An empty cell is an empty array, too. Servers store cells as
 * they receive them, after {@link dev.kudu4j.common.array.ArrayCellReader} has verified them.
 */
@NullMarked
package dev.kudu4j.common.array;

import org.jspecify.annotations.NullMarked;

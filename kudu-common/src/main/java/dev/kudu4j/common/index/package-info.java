/**
 * Secondary indexes of tables: {@link dev.kudu4j.common.index.IndexDefinition} says what is
 * indexed. Masters, servers and clients share it.
 */
@NullMarked
package dev.kudu4j.common.index;

import org.jspecify.annotations.NullMarked;

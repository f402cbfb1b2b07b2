/**
 * Order-preserving keys. {@link dev.kudu4j.common.key.KeyEncoder} encodes cells as bytes that
 * compare like the values; {@link dev.kudu4j.common.key.KeyDecoder} decodes them.
 */
@NullMarked
package dev.kudu4j.common.key;

import org.jspecify.annotations.NullMarked;

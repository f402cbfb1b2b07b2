/**
 * Scan results as Arrow vectors: {@link dev.kudu4j.client.arrow.ArrowFields} maps columns to Arrow
 * types, {@link dev.kudu4j.client.arrow.ArrowDecoder} decodes responses into record batches, mostly
 * by sharing their memory.
 *
 * <p>Apart from the Arrow scans of the public API, nothing in the client uses Arrow, so that its
 * classes are loaded only for programs that request batches.
 */
package dev.kudu4j.client.arrow;

/**
 * Scan results as Arrow vectors: {@link dev.kudu4j.client.arrow.ArrowFields} says which type a
 * column has there, {@link dev.kudu4j.client.arrow.ArrowDecoder} turns answers into record batches,
 * mostly by handing their memory on.
 *
 * <p>Nothing else of the client touches Arrow, so that its classes are loaded only for those who
 * ask for batches.
 */
package dev.kudu4j.client.arrow;

/**
 * The procedures of the catalog, {@code CALL k.system.name(...)}. Start with {@link
 * dev.kudu4j.spark.procedure.Procedures}.
 */
package dev.kudu4j.spark.procedure;

/**
 * The verbs {@code kudu index}: create, list, describe, verify, rebuild and drop the secondary
 * indexes of tables.
 */
package dev.kudu4j.tools.index;

/**
 * Conversions between Java's values and those of columns, under the names that users of Apache
 * Kudu's Java client know.
 */
package dev.kudu4j.util;

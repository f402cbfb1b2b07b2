/**
 * Conversions between Java values and column values, under the names of Apache Kudu's Java client.
 */
package dev.kudu4j.util;

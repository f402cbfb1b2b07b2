/** The errors that a tablet server returns. */
package dev.kudu4j.tserver.error;

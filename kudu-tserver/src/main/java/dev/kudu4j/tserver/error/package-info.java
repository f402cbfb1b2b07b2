/** The errors that a tablet server answers with. */
package dev.kudu4j.tserver.error;

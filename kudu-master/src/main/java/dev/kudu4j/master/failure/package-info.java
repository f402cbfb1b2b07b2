/**
 * How a master's methods fail: a status, and beside it the master's own code that clients act on.
 */
package dev.kudu4j.master.failure;

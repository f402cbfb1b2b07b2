/**
 * The failures of a master's methods: a status, and beside it one of the master's error codes,
 * which clients act on.
 */
package dev.kudu4j.master.failure;

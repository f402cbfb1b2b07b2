/**
 * The failures of a master's methods: a status, and in addition one of the master's error codes,
 * which clients act on.
 */
package dev.kudu4j.master.failure;

/**
 * The one small file that says what a tablet's state is: "the log up to N", in which files.
 * Replaced atomically; whatever it does not name is garbage.
 */
package dev.kudu4j.tablet.superblock;

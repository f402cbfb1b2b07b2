/** Reads every byte and checks every invariant of a tablet's files, and prints what is in them. */
package dev.kudu4j.tablet.check;

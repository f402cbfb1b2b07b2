/**
 * Lists for people and for programs. {@link dev.kudu4j.tools.print.Listing} is a table of facts;
 * {@link dev.kudu4j.tools.print.ListingFormat} says how it is printed.
 *
 * <p>This package knows texts and numbers, and not what they mean.
 */
package dev.kudu4j.tools.print;

/**
 * Command-line options with the names and syntax of Apache Kudu's flags.
 *
 * <p>An {@link dev.kudu4j.server.flags.Option} is a name with a type, a default and bounds; {@link
 * dev.kudu4j.server.flags.ServerOptions} defines the general options of the daemons; {@link
 * dev.kudu4j.server.flags.FlagParser} turns arguments into {@link dev.kudu4j.server.flags.Flags}.
 * Values are read once, at start, into records that are passed down; deeper code does not look up
 * flags. docs/options.md is generated from this package.
 */
@NullMarked
package dev.kudu4j.server.flags;

import org.jspecify.annotations.NullMarked;

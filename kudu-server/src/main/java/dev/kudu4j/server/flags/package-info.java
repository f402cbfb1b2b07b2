/**
 * Options on the command line, as operators of Apache Kudu know them.
 *
 * <p>An {@link dev.kudu4j.server.flags.Option} is a name with a type, a default and bounds; {@link
 * dev.kudu4j.server.flags.ServerOptions} has all of them; {@link
 * dev.kudu4j.server.flags.FlagParser} turns arguments into {@link dev.kudu4j.server.flags.Flags}.
 * Values are read once, at start, into records that are passed down; nothing deeper in the code
 * looks a flag up. docs/options.md is generated from here.
 */
package dev.kudu4j.server.flags;

/**
 * The {@code kudu} command: {@link dev.kudu4j.tools.Kudu} finds the verb and runs it. Daemons get
 * their flags unparsed, in Apache Kudu's style; all other arguments are parsed here.
 */
package dev.kudu4j.tools;

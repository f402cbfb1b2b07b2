/**
 * A daemon as a process: {@link dev.kudu4j.server.process.ServerProcess} is what both daemons are
 * built on, {@link dev.kudu4j.server.process.Daemon} runs one from the command line.
 */
package dev.kudu4j.server.process;

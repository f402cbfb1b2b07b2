/**
 * A daemon as a process: {@link dev.kudu4j.server.process.ServerProcess} is the base of both
 * daemons, {@link dev.kudu4j.server.process.Daemon} runs one from the command line.
 */
package dev.kudu4j.server.process;

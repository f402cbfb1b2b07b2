/**
 * A daemon as a process: {@link dev.kudu4j.server.process.ServerProcess} is the base of masters and
 * tablet servers, and {@link dev.kudu4j.server.process.Daemon} runs one of them from the command
 * line.
 */
@NullMarked
package dev.kudu4j.server.process;

import org.jspecify.annotations.NullMarked;

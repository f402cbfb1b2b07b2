/**
 * A user's program in a JVM that was started as anybody starts one. Start with {@link
 * PlainProgramIT}.
 */
package dev.kudu4j.itest.plain;

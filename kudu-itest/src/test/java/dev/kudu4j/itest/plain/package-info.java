/** A user's program in a JVM that was started without flags. Start with {@link PlainProgramIT}. */
package dev.kudu4j.itest.plain;

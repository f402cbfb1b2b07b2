/**
 * A server that stands still, and what a client with little memory makes of it. Start with {@link
 * StalledServerIT}; {@link StalledLoad} is the client's program, in a JVM of its own.
 */
package dev.kudu4j.itest.stall;

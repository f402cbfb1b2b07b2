/**
 * A stopped server, and a client with little memory. Start with {@link StalledServerIT}; {@link
 * StalledLoad} is the client's program, in a separate JVM.
 */
package dev.kudu4j.itest.stall;

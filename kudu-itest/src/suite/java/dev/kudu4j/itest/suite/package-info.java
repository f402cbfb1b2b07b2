/**
 * The client suite: what a program may expect of the Java client, whichever client and servers it
 * runs with.
 *
 * <p>Written once, for our client. The build makes a second form of it for Apache Kudu's published
 * client by exchanging the package and the imports, and nothing else; that this compiles and passes
 * is the promise that porting is a change of imports. Start with {@link ClientSuite}; a {@code
 * Pair} brings the servers.
 *
 * <p>The suite uses only what both clients offer: the synchronous calls, under the published names.
 */
package dev.kudu4j.itest.suite;

/**
 * {@code kudu demo}: what a cluster can do, shown in two minutes on data whose answers are known.
 *
 * <p>Start with {@link dev.kudu4j.tools.demo.Demo}, which tells the story; each act is a class of
 * its own. Everything goes through the public client and {@link
 * dev.kudu4j.embedded.EmbeddedCluster}, as a user's program would. What the generator makes is
 * summed up on its way into the tables, and every answer is compared with that.
 */
package dev.kudu4j.tools.demo;

/**
 * Exactly-once: the answers of recent requests, so that a retry gets the first try's answer and
 * does no work.
 *
 * <p>What is remembered, and when it is forgotten, follows from the log alone; so every replica,
 * and every replay, remembers the same. Start with {@link
 * dev.kudu4j.tablet.requestcache.RequestCache}.
 */
package dev.kudu4j.tablet.requestcache;

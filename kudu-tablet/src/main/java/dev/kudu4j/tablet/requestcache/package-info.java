/**
 * The request cache, which makes retries exactly-once: a retry gets the result of the first attempt
 * and is not executed again.
 *
 * <p>What is cached and when it is forgotten depends on the log alone, so every replica and every
 * replay caches the same. Start with {@link dev.kudu4j.tablet.requestcache.RequestCache}.
 */
package dev.kudu4j.tablet.requestcache;

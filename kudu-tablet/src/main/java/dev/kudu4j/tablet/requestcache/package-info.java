/**
 * The request cache, which makes retries exactly-once: a retry gets the result of the first attempt
 * and is not executed again.
 *
 * <p>The log alone determines which results are cached and for how long, so every replica and every
 * replay caches the same results. Start with {@link dev.kudu4j.tablet.requestcache.RequestCache}.
 */
@NullMarked
package dev.kudu4j.tablet.requestcache;

import org.jspecify.annotations.NullMarked;

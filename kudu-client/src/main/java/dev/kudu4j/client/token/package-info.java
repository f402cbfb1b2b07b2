/**
 * Scan tokens: the messages that carry pieces of a scan to other processes. Start with {@link
 * dev.kudu4j.client.token.ScanTokenWriter}.
 *
 * <p>This package does not depend on the public scan builders, which {@code dev.kudu4j.client}
 * fills from a token.
 */
package dev.kudu4j.client.token;

/**
 * Scan tokens: the messages that carry pieces of a scan to other processes. Start with {@link
 * dev.kudu4j.client.token.ScanTokenWriter}.
 *
 * <p>This package knows scans, tablets and messages. It does not know the public builders, which
 * {@code dev.kudu4j.client} fills from a token.
 */
package dev.kudu4j.client.token;

/**
 * The Java client: the names and shapes that users of Apache Kudu's Java client know, so that
 * porting is one exchange of {@code org.apache.kudu} by {@code dev.kudu4j}.
 */
package dev.kudu4j.client;

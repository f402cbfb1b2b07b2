/**
 * The Java client. Class and method names are those of Apache Kudu's Java client, so that porting a
 * program means replacing {@code org.apache.kudu} with {@code dev.kudu4j}.
 */
package dev.kudu4j.client;

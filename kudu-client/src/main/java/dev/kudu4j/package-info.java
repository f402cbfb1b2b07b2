/**
 * Schemas in the public API of the client. Class and method names are those of Apache Kudu's {@code
 * org.apache.kudu}, so that porting a program means replacing the package name.
 */
package dev.kudu4j;

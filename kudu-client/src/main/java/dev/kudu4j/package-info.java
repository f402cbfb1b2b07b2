/**
 * Schemas as the client's users see them. The names and shapes are those of Apache Kudu's {@code
 * org.apache.kudu}, so that porting is one exchange of the package's name.
 */
package dev.kudu4j;

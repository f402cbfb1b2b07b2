/**
 * A cluster for tests with JUnit 5: {@link dev.kudu4j.embedded.junit5.KuduClusterExtension}. The
 * other packages do not need JUnit.
 */
package dev.kudu4j.embedded.junit5;

/**
 * A cluster for tests with JUnit 5: {@link dev.kudu4j.embedded.junit5.KuduClusterExtension}. Nothing
 * else here needs JUnit.
 */
package dev.kudu4j.embedded.junit5;

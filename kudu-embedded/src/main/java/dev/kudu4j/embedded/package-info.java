/** A whole cluster in one JVM: for tests, for a first look, and for applications that want one of their own. */
package dev.kudu4j.embedded;

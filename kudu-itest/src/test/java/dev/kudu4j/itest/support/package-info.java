/** Real processes and the published binaries, controlled by a test. */
package dev.kudu4j.itest.support;

/** Real processes and the published binaries, under the control of a test. */
package dev.kudu4j.itest.support;

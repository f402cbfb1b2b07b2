/**
 * Comparisons of the indexes of this server's replicas with their rows, on request. Start with
 * {@link dev.kudu4j.tserver.verify.IndexVerifications}. How files are compared is {@link
 * dev.kudu4j.tablet.check.IndexVerification}.
 */
@NullMarked
package dev.kudu4j.tserver.verify;

import org.jspecify.annotations.NullMarked;

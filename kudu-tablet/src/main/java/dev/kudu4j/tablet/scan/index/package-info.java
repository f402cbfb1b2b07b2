/**
 * Index files in scans: {@link dev.kudu4j.tablet.scan.index.IndexSearch} decides for one rowset
 * whether an index helps, and finds the rows that may match. The scan then tests these rows as if
 * it had been asked for them by key, so an index never changes a result.
 */
@NullMarked
package dev.kudu4j.tablet.scan.index;

import org.jspecify.annotations.NullMarked;

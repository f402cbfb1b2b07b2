/**
 * Predicates on one column, combined with AND, which filter a scan. This package validates,
 * simplifies and merges predicates; the storage engine evaluates them on pages.
 */
@NullMarked
package dev.kudu4j.common.predicate;

import org.jspecify.annotations.NullMarked;

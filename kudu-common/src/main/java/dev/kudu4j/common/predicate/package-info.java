/**
 * Predicates on one column, joined by AND: what a scan may filter by. The form here is checked,
 * simplified and merged; how a storage engine evaluates it on a page is the engine's matter.
 */
@NullMarked
package dev.kudu4j.common.predicate;

import org.jspecify.annotations.NullMarked;

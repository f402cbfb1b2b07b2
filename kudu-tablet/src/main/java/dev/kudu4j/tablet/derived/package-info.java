/**
 * Derived tablets, whose rows are computed from the changes of other tablets: the rows of indexes
 * that are tables of their own. {@link dev.kudu4j.tablet.derived.DerivedLayout} says which columns
 * they have, and {@link dev.kudu4j.tablet.derived.DerivedRows} turns changes of base rows into
 * their rows. See docs/design/derived-tablets.md.
 */
@NullMarked
package dev.kudu4j.tablet.derived;

import org.jspecify.annotations.NullMarked;

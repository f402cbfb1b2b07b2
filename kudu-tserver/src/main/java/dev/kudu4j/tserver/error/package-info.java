/** The errors that a tablet server returns. */
@NullMarked
package dev.kudu4j.tserver.error;

import org.jspecify.annotations.NullMarked;

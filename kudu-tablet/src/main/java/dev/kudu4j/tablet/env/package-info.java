/**
 * The interface between the engine and its environment. Files, crash points, randomness, time and
 * memory are accessed only through this package, so a test can lose unsynced data, tear a write or
 * stop at a named point.
 */
@NullMarked
package dev.kudu4j.tablet.env;

import org.jspecify.annotations.NullMarked;

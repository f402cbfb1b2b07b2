/**
 * The seam between the engine and the world: files, crash points, randomness, time and memory come
 * through here and nowhere else, so that a test can forget unsynced data, tear a write or stop at a
 * named point.
 */
package dev.kudu4j.tablet.env;

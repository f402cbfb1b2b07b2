/**
 * What the verbs share at the terminal: how a list is printed ({@link
 * dev.kudu4j.tools.console.ListFormat}), how a flag may be spelled, how a failure reads in one
 * line. This package knows nothing of clusters or files.
 */
package dev.kudu4j.tools.console;

/**
 * Terminal output and input shared by all verbs: formats of lists ({@link
 * dev.kudu4j.tools.console.ListFormat}), spelling of flags, error messages in one line. This
 * package does not depend on clusters or files.
 */
package dev.kudu4j.tools.console;

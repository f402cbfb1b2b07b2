/**
 * The elements of pages: {@link dev.kudu4j.server.web.html.DataTable tables}, {@link
 * dev.kudu4j.server.web.html.Facts names with values}, {@link dev.kudu4j.server.web.html.Figures
 * numbers for people} with the exact value as a tooltip, and {@link dev.kudu4j.server.web.html.Bars
 * bars}. A page is a tree of elements that escapes every text when it is written; no code in this
 * package concatenates strings into HTML. The only style sheet is {@code kudu4j.css}.
 */
@NullMarked
package dev.kudu4j.server.web.html;

import org.jspecify.annotations.NullMarked;

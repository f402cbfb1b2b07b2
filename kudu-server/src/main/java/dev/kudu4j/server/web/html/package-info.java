/**
 * What pages are made of: {@link dev.kudu4j.server.web.html.DataTable tables}, {@link
 * dev.kudu4j.server.web.html.Facts names with values}, {@link dev.kudu4j.server.web.html.Figures
 * numbers for people} with the exact value behind them, {@link dev.kudu4j.server.web.html.Bars
 * bars}. All of it is a tree of elements, which escapes whatever text it is given when it is
 * written; nothing here joins strings into HTML. How it looks says the one style sheet, {@code
 * kudu4j.css}.
 */
package dev.kudu4j.server.web.html;

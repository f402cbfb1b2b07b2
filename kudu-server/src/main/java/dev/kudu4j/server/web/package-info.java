/**
 * The pages of a server: {@link dev.kudu4j.server.web.WebServer} serves them, and each is a {@link
 * dev.kudu4j.server.web.WebPage}. A page for people answers a {@link dev.kudu4j.server.web.Query}
 * with a {@link dev.kudu4j.server.web.View}; {@link dev.kudu4j.server.web.Layout} puts the frame
 * around it that all pages of a server share. What pages are made of is in {@code html}.
 *
 * <p>This package knows HTTP and HTML. The content of a page comes from the package that the page
 * is about.
 */
package dev.kudu4j.server.web;

/**
 * The pages of a server: {@link dev.kudu4j.server.web.WebServer} serves them, and each is a {@link
 * dev.kudu4j.server.web.WebPage}. A page for people answers a {@link dev.kudu4j.server.web.Query}
 * with a {@link dev.kudu4j.server.web.View}; {@link dev.kudu4j.server.web.Layout} adds the frame
 * that all pages of a server share. The elements of pages are in {@code html}.
 *
 * <p>This package handles HTTP and HTML. The code that provides the content of a page is in the
 * package of its subject.
 */
@NullMarked
package dev.kudu4j.server.web;

import org.jspecify.annotations.NullMarked;

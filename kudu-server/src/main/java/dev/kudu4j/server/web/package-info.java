/**
 * The pages of a server: health, metrics, and an index. {@link dev.kudu4j.server.web.WebServer}
 * serves them; a daemon adds its own.
 */
package dev.kudu4j.server.web;

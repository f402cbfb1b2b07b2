package dev.kudu4j.server.web;

import java.util.List;
import java.util.function.Supplier;

/**
 * The common content of all pages of one server.
 *
 * @param kind the kind of server, such as {@code Tablet server}
 * @param name the RPC address of the server
 * @param footnote identity and version, in small print
 * @param elsewhere returns the links to other servers' pages, which every page shows; must be cheap
 */
public record Site(String kind, String name, String footnote, Supplier<List<Link>> elsewhere) {}

package dev.kudu4j.server.web;

import java.util.List;
import java.util.function.Supplier;

/**
 * What the pages of one server have in common.
 *
 * @param kind of server, as a reader calls it: {@code Tablet server}
 * @param name which of its kind: its RPC address
 * @param footnote identity and version, in small print
 * @param elsewhere pages of other servers that are worth a look from any page; cheap
 */
public record Site(String kind, String name, String footnote, Supplier<List<Link>> elsewhere) {}

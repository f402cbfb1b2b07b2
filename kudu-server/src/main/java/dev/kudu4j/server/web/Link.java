package dev.kudu4j.server.web;

/** A link. */
public record Link(String text, String address) {}

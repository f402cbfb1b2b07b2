package dev.kudu4j.server.web;

/** A text that leads somewhere. */
public record Link(String text, String address) {}

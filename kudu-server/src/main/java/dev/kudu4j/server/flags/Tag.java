package dev.kudu4j.server.flags;

import java.util.Locale;

/** Properties of an option that an operator should know before changing it. */
public enum Tag {
  /** Name and meaning do not change between releases. */
  STABLE,
  /** The default suits nearly all clusters. */
  ADVANCED,
  /** May change or be removed. */
  EXPERIMENTAL,
  /**
   * Meant for tests: the option can lose data or break a server. Requires {@code
   * --unlock_unsafe_flags} at start.
   */
  UNSAFE,
  /** Meant for tests of compatibility between versions. {@code --help} does not list it. */
  HIDDEN,
  /** Can be changed while the server runs. */
  RUNTIME,
  /** Accepted for compatibility and validated, but without effect. */
  ACCEPTED;

  public String display() {
    return name().toLowerCase(Locale.ROOT);
  }
}

package dev.kudu4j.server.flags;

import java.util.Locale;

/** What an operator should know about an option before touching it. */
public enum Tag {
  /** Stays as it is over releases. */
  STABLE,
  /** The default suits nearly everybody. */
  ADVANCED,
  /** May change or go. */
  EXPERIMENTAL,
  /** For tests: can cost data or stop a server from working. Locked unless the start unlocks it. */
  UNSAFE,
  /** For tests of this and other versions together: {@code --help} does not name it. */
  HIDDEN,
  /** Can be changed while the server runs. */
  RUNTIME,
  /** Known and checked, but without effect here. */
  ACCEPTED;

  public String display() {
    return name().toLowerCase(Locale.ROOT);
  }
}

package dev.kudu4j.common.security;

import dev.kudu4j.common.status.KuduException;
import java.util.HashSet;
import java.util.Set;

/**
 * A list of user names in the format of Apache Kudu's access flags: comma-separated, with {@code *}
 * for all users.
 */
public final class UserList {
  /** Everybody. */
  public static final UserList EVERYBODY = new UserList(true, Set.of());

  /** First characters that are reserved for future extensions of the format. */
  private static final String RESERVED = "!@#$%*-=+'\"";

  private final boolean everybody;
  private final Set<String> names;

  private UserList(boolean everybody, Set<String> names) {
    this.everybody = everybody;
    this.names = Set.copyOf(names);
  }

  /** A list with one user. */
  public static UserList of(String name) {
    return new UserList(false, Set.of(name));
  }

  /**
   * Parses the list of a flag.
   *
   * @throws KuduException INVALID_ARGUMENT if {@code text} is invalid; the message contains the
   *     name of the flag
   */
  public static UserList parse(String flag, String text) {
    Set<String> names = new HashSet<>();
    for (String part : text.split(",")) {
      String name = part.strip();
      if (name.equals("*")) {
        return EVERYBODY;
      }
      if (!name.isEmpty()) {
        names.add(checked(flag, name));
      }
    }
    return new UserList(false, names);
  }

  private static String checked(String flag, String name) {
    if (RESERVED.indexOf(name.charAt(0)) >= 0 || name.chars().anyMatch(Character::isWhitespace)) {
      throw KuduException.invalidArgument(
          "Flag --%s contains '%s', which is not a user name; it must contain user"
              + " names separated by commas, or * for all users",
          flag, name);
    }
    return name;
  }

  public boolean contains(String user) {
    return everybody || names.contains(user);
  }

  @Override
  public String toString() {
    return everybody ? "*" : String.join(",", names);
  }
}
